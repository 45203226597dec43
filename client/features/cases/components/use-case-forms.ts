import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, type Resolver, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod/mini';
import {
  CaseStepSchema,
  PartiesStepSchema,
  type Case,
  type NewCase,
} from '@matterdesk/contract/cases.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { CallError } from '../../../api.ts';

export type CaseStep = z.output<typeof CaseStepSchema>;
export type PartiesStep = z.output<typeof PartiesStepSchema>;
type Undecided = 'statusType' | 'status' | 'type' | 'daysOpen';
/** The values of the inputs, where selections start empty. */
export type CaseInputs = Omit<CaseStep, Undecided> & {
  [Name in Undecided]: CaseStep[Name] | null;
};
export type CaseForm = UseFormReturn<CaseInputs, unknown, CaseStep>;
export type PartiesForm = UseFormReturn<PartiesStep, unknown, PartiesStep>;

const emptyCase: CaseInputs = {
  caseName: '',
  caseNo: '',
  statusType: null,
  status: null,
  type: null,
  judge: '',
  dateOfOpening: '',
  managingAttorney: '',
  DOI: '',
  SOL: '',
  daysOpen: null,
  assignedUsers: [],
};
const emptyParties: PartiesStep = {
  clientInfo: { name: '', phoneNumber: '', email: '', address: '' },
  opposingCounselInfo: { organization: '', name: '', phoneNumber: '', email: '', address: '' },
};

/** The two halves of a case's form, each validated by itself. */
export function useCaseForms(start?: NewCase, proposed: Partial<CaseInputs> = {}) {
  const { clientInfo, opposingCounselInfo, ...own } = start ?? {
    ...emptyCase,
    ...proposed,
    ...emptyParties,
  };
  const caseForm = useForm<CaseInputs, unknown, CaseStep>({
    defaultValues: own,
    resolver: zodResolver(CaseStepSchema) as Resolver<CaseInputs, unknown, CaseStep>,
  });
  const partiesForm = useForm<PartiesStep, unknown, PartiesStep>({
    defaultValues: { clientInfo, opposingCounselInfo },
    resolver: zodResolver(PartiesStepSchema),
  });
  return { caseForm, partiesForm };
}

/** The form's values for a case. */
export function toForm(matter: Case): NewCase {
  const { id: _id, download: _files, createdAt: _created, updatedAt: _updated, ...own } = matter;
  return { ...own, assignedUsers: matter.assignedUsers.map(({ id }) => id) };
}

/** The half with the first field that the server refused; undefined without field errors. */
export function stepOfRefusal(error: unknown): 1 | 2 | undefined {
  const path = error instanceof CallError ? error.errors[0]?.path : undefined;
  if (path === undefined) return undefined;
  return isOfParties(path) ? 2 : 1;
}

/** Shows the server's errors under the fields of both halves, and focuses the first. */
export function showRefusal(
  { caseForm, partiesForm }: { caseForm: CaseForm; partiesForm: PartiesForm },
  error: unknown,
): void {
  if (!(error instanceof CallError)) return;
  const { message, status, errors } = error;
  const ofParties = errors.filter(({ path }) => isOfParties(path));
  const ofCase = errors.filter(({ path }) => !isOfParties(path));
  showFieldErrors(partiesForm, new CallError(message, status, { errors: ofParties }));
  showFieldErrors(caseForm, new CallError(message, status, { errors: ofCase }));
}

function isOfParties(path: string) {
  return /^(clientInfo|opposingCounselInfo)\b/.test(path);
}
