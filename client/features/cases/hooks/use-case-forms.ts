import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, type Resolver } from 'react-hook-form';
import type * as z from 'zod/mini';
import {
  CaseStepSchema,
  PartiesStepSchema,
  type Case,
  type NewCase,
} from '@matterdesk/contract/cases.ts';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import type { Proposal } from '@matterdesk/contract/intake-accepting.ts';
import { type Form, showFieldErrors } from '../../../core/form.ts';
import { CallError } from '../../../api.ts';

export type CaseStep = z.output<typeof CaseStepSchema>;
export type PartiesStep = z.output<typeof PartiesStepSchema>;
type Undecided = 'statusType' | 'status' | 'type' | 'daysOpen';
/** The values of the inputs, where selections start empty. */
export type CaseInputs = Omit<CaseStep, Undecided> & {
  [Name in Undecided]: CaseStep[Name] | null;
};
export type CaseForm = Form<CaseInputs, CaseStep>;
export type PartiesForm = Form<PartiesStep, PartiesStep>;

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

const wholeParties = zodResolver(PartiesStepSchema) as Resolver<PartiesStep, unknown, PartiesStep>;

/** Counsel that is not known yet may stay empty as a whole. */
const withoutCounsel: Resolver<PartiesStep, unknown, PartiesStep> = async (
  values,
  context,
  options,
) => {
  const checked = await wholeParties(values, context, options);
  if (!isBlank(values.opposingCounselInfo)) return checked;
  const { opposingCounselInfo: _unknown, ...errors } = checked.errors;
  return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
};

/** Whether nothing is known of a party. */
export function isBlank(party: Record<string, string>): boolean {
  return Object.values(party).every((value) => value.trim() === '');
}

/** Both halves of the form for a new case: proposed values, the rest empty. */
export function emptyStart(proposed: Partial<CaseInputs>): CaseInputs & PartiesStep {
  return { ...emptyCase, ...proposed, ...emptyParties };
}

/** The two halves of a case's form, each validated by itself. */
export function useCaseForms(
  start: CaseInputs & PartiesStep,
  { isCounselKnown = true }: { isCounselKnown?: boolean } = {},
) {
  const { clientInfo, opposingCounselInfo, ...own } = start;
  const caseForm = useForm<CaseInputs, unknown, CaseStep>({
    defaultValues: own,
    resolver: zodResolver(CaseStepSchema) as Resolver<CaseInputs, unknown, CaseStep>,
  });
  const partiesForm = useForm<PartiesStep, unknown, PartiesStep>({
    defaultValues: { clientInfo, opposingCounselInfo },
    resolver: isCounselKnown ? wholeParties : withoutCounsel,
  });
  return { caseForm, partiesForm };
}

type Contact = Pick<Case['opposingCounselInfo'], 'phoneNumber' | 'email' | 'address'>;

function contactOf({ phoneNumber, email, address }: Contact) {
  return { phoneNumber: phoneNumber ?? '', email: email ?? '', address: address ?? '' };
}

/** The form's values for a case, with the SOL in effect; what it lacks is empty. */
export function toForm(matter: Case): NewCase {
  const { id: _id, download: _files, createdAt: _created, updatedAt: _updated, ...rest } = matter;
  const { access: _access, waiting: _waiting, noStatute: _reason, ...known } = rest;
  const { incomplete: _missing, fileCount: _count, ...filled } = known;
  const { clientInfo, opposingCounselInfo: counsel, ...own } = filled;
  return {
    ...own,
    caseNo: own.caseNo ?? '',
    judge: own.judge ?? '',
    DOI: own.DOI ?? '',
    SOL: solInEffect(matter) ?? '',
    assignedUsers: matter.assignedUsers.map(({ id }) => id),
    clientInfo: { name: clientInfo.name, ...contactOf(clientInfo) },
    opposingCounselInfo: {
      organization: counsel.organization ?? '',
      name: counsel.name ?? '',
      ...contactOf(counsel),
    },
  };
}

/** The form's values for what is known of a case; the rest is empty. */
export function startOf(known: Proposal): CaseInputs & PartiesStep {
  const { assignedUsers, clientInfo, opposingCounselInfo } = known;
  const own = fill({ ...emptyCase, assignedUsers }, known);
  return {
    ...own,
    clientInfo: fill(emptyParties.clientInfo, clientInfo),
    opposingCounselInfo: fill(emptyParties.opposingCounselInfo, opposingCounselInfo ?? {}),
  };
}

/** Copies known values into the fields of an empty form. */
function fill<T extends object>(empty: T, known: object): T {
  const found = Object.entries(known).filter(([name, value]) => name in empty && value !== null);
  return { ...empty, ...(Object.fromEntries(found) as Partial<T>) };
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
  return /^(clientInfo|opposingCounselInfo|limitation)\b/.test(path);
}
