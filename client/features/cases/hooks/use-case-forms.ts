import { zodResolver } from '@hookform/resolvers/zod';
import { type FieldErrors, type FieldValues, useForm, type Resolver } from 'react-hook-form';
import type * as z from 'zod/mini';
import {
  CaseStepSchema,
  PartiesStepSchema,
  type Case,
  type NewCase,
} from '@matterdesk/contract/cases.ts';
import type { CaseProposal } from '@matterdesk/contract/intake-acceptance.ts';
import { solInEffect } from '@matterdesk/contract/sol-in-effect.ts';
import { CallError } from '../../../api.ts';
import { type Form, showFieldErrors } from '../../../core/form.ts';

export type CaseStep = z.output<typeof CaseStepSchema>;
export type PartiesStep = z.output<typeof PartiesStepSchema>;
type InitiallyEmpty = 'statusType' | 'status' | 'type' | 'daysOpen';
/** The values of the inputs, where selections start empty. */
export type CaseInputs = Omit<CaseStep, InitiallyEmpty> & {
  [Name in InitiallyEmpty]: CaseStep[Name] | null;
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

/** Whether a field, by its path, may stay empty. */
export type CanBeEmpty = (path: string) => boolean;
export const neverEmpty: CanBeEmpty = () => false;

/** All that may wait until a case is filed. */
export const emptyUntilFiled: CanBeEmpty = (path) =>
  path !== 'caseName' && path !== 'type' && path !== 'clientInfo.name';

/** Lets fields stay empty that may be; all else is checked as before. */
function allowEmpty<Inputs extends FieldValues, Output>(
  strict: Resolver<Inputs, unknown, Output>,
  mayLack: (path: string, values: Inputs) => boolean,
): Resolver<Inputs, unknown, Output> {
  return async (values, context, options) => {
    const checked = await strict(values, context, options);
    if (isNone(checked.errors)) return checked;
    const errors = wrongOf(checked.errors, values, (path) => mayLack(path, values));
    // Fields that may stay empty keep their type, since their inputs hold an empty text.
    if (isNone(errors)) return { values: values as unknown as Output, errors: {} };
    return { values: {}, errors: errors as FieldErrors<Inputs> };
  };
}

type FieldTree = Record<string, unknown>;

function wrongOf(errors: FieldTree, values: FieldTree, mayLack: CanBeEmpty): FieldTree {
  const wrong = Object.entries(errors).flatMap(([name, error]) => {
    const value = values[name];
    if (isTree(value) && isTree(error)) {
      const inner = wrongOf(error, value, (path) => mayLack(`${name}.${path}`));
      return isNone(inner) ? [] : [[name, inner] as const];
    }
    const isEmpty = value === null || (typeof value === 'string' && value.trim() === '');
    return isEmpty && mayLack(name) ? [] : [[name, error] as const];
  });
  return Object.fromEntries(wrong);
}

function isTree(value: unknown): value is FieldTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNone(errors: object): boolean {
  return Object.keys(errors).length === 0;
}

/** Whether nothing is known of a party. */
export function isBlank(party: Record<string, string>): boolean {
  return Object.values(party).every((value) => value.trim() === '');
}

/** Both halves of the form for a new case: proposed values, the rest empty. */
export function emptyStart(proposed: Partial<CaseInputs>): CaseInputs & PartiesStep {
  return { ...emptyCase, ...proposed, ...emptyParties };
}

const wholeCase = zodResolver(CaseStepSchema) as Resolver<CaseInputs, unknown, CaseStep>;
const wholeParties = zodResolver(PartiesStepSchema) as Resolver<PartiesStep, unknown, PartiesStep>;

interface CaseFormOptions {
  /** If not, counsel may stay empty as a whole. */
  isCounselKnown?: boolean;
  mayLack?: CanBeEmpty;
}

/** The two halves of a case's form, each validated by itself. */
export function useCaseForms(
  start: CaseInputs & PartiesStep,
  { isCounselKnown = true, mayLack = neverEmpty }: CaseFormOptions = {},
) {
  const { clientInfo, opposingCounselInfo, ...own } = start;
  const caseForm = useForm<CaseInputs, unknown, CaseStep>({
    defaultValues: own,
    resolver: allowEmpty(wholeCase, mayLack),
  });
  const partiesForm = useForm<PartiesStep, unknown, PartiesStep>({
    defaultValues: { clientInfo, opposingCounselInfo },
    resolver: allowEmpty(wholeParties, (path, { opposingCounselInfo: counsel }) => {
      const isWithout = !isCounselKnown && isBlank(counsel);
      return mayLack(path) || (isWithout && path.startsWith('opposingCounselInfo.'));
    }),
  });
  return { caseForm, partiesForm };
}

/** A case that is not filed yet, as it is sent; what is empty is null. */
export function toUnfiled(own: CaseInputs & { type: CaseStep['type'] }, parties: PartiesStep) {
  const { clientInfo: client, opposingCounselInfo: counsel } = parties;
  return {
    ...own,
    notFiled: true as const,
    caseNo: orNull(own.caseNo),
    judge: orNull(own.judge),
    dateOfOpening: orNull(own.dateOfOpening),
    managingAttorney: orNull(own.managingAttorney),
    DOI: orNull(own.DOI),
    SOL: orNull(own.SOL),
    clientInfo: {
      name: client.name,
      phoneNumber: orNull(client.phoneNumber),
      email: orNull(client.email),
      address: orNull(client.address),
    },
    opposingCounselInfo: {
      organization: orNull(counsel.organization),
      name: orNull(counsel.name),
      phoneNumber: orNull(counsel.phoneNumber),
      email: orNull(counsel.email),
      address: orNull(counsel.address),
    },
  };
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text;
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
export function startOf(known: CaseProposal): CaseInputs & PartiesStep {
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
