import type { Case } from '@matterdesk/contract/cases.ts';
import {
  answersOf,
  DEFAULT_THANKS,
  type FormFieldKind,
  type IntakeForm,
} from '@matterdesk/contract/intake-forms.ts';
import { roleNames } from '../../core/party-roles.ts';

/** A question as it is typed: lists are lines, and nothing is null. */
export type QuestionInputs = {
  key: string;
  label: string;
  kind: FormFieldKind;
  required: boolean;
  options: string;
  help: string;
  /** The earlier question and its answer on which this one depends. */
  showKey: string;
  showEquals: string;
  maps: string;
};
export type FormInputs = {
  name: string;
  slug: string;
  type: string;
  intro: string;
  notice: string;
  thanks: string;
  origins: string;
  owners: string[];
  fields: QuestionInputs[];
};

export const kindNames: Record<FormFieldKind, string> = {
  line: 'One line',
  paragraphs: 'Paragraphs',
  choice: 'One of several',
  choices: 'Some of several',
  date: 'Date',
  number: 'Number',
  phone: 'Phone number',
  email: 'Email address',
  yesNo: 'Yes or no',
  file: 'Files',
};

const { client: _, ...otherRoles } = roleNames;

/** Members of an intake that an answer can fill. */
export const mapNames: Record<string, string> = {
  name: 'Name of the person',
  phoneNumber: 'Phone number',
  email: 'Email',
  address: 'Address',
  description: 'What happened',
  DOI: 'DOI',
  source: 'Source',
  ...otherRoles,
  other: 'Other party',
};

/** Entries of a list that is typed one a line. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function toInputs(form: IntakeForm): FormInputs {
  const { name, slug, type, intro, notice, thanks, origins, owners } = form;
  const fields = form.fields.map(({ options, showIf, maps, ...field }) => ({
    ...field,
    options: options.join('\n'),
    showKey: showIf?.key ?? '',
    showEquals: showIf?.equals ?? '',
    maps: maps ?? '',
  }));
  const lists = { origins: origins.join('\n'), owners, fields };
  return { name, slug, type: type ?? '', intro, notice, thanks, ...lists };
}

/** The body of a call, which the contract checks. */
export function toBody({ type, origins, fields, ...inputs }: FormInputs) {
  return {
    ...inputs,
    type: (type || null) as Case['type'] | null,
    origins: linesOf(origins),
    fields: fields.map(({ options, showKey, showEquals, maps, ...field }) => ({
      ...field,
      options: hasOptions(field.kind) ? linesOf(options) : [],
      showIf: showKey === '' ? null : { key: showKey, equals: showEquals },
      maps: maps || null,
    })),
  };
}

export function hasOptions(kind: FormFieldKind): boolean {
  return kind === 'choice' || kind === 'choices';
}

/** The place of the input that shows an error of the body. */
export function placeOf(path: string): string {
  if (path === 'fields') return 'root';
  return path
    .replace(/^(origins|owners)\..*$/, '$1')
    .replace(/^(fields\.\d+)\.showIf.*$/, '$1.showKey')
    .replace(/^(fields\.\d+\.options)\..*$/, '$1');
}

/** Earlier questions on whose answers a question can depend, each with its answers. */
export function conditionsOf(fields: readonly QuestionInputs[], index: number) {
  return fields.slice(0, index).flatMap(({ key, label, kind, options }) => {
    const answers = answersOf({ kind, options: linesOf(options) });
    return answers.length === 0 ? [] : [{ key, label, answers }];
  });
}

/** A question to fill in, with a key that no other has. */
export function newQuestion(fields: readonly { key: string }[]): QuestionInputs {
  const taken = new Set(fields.map(({ key }) => key));
  let number = fields.length + 1;
  while (taken.has(`question${number}`)) number += 1;
  const blank = { label: '', options: '', help: '', showKey: '', showEquals: '', maps: '' };
  return { ...blank, key: `question${number}`, kind: 'line', required: false };
}

/** A form to begin with: the person who asks can be named and reached. */
export const blankForm: FormInputs = {
  name: '',
  slug: '',
  type: '',
  intro: '',
  notice: '',
  thanks: DEFAULT_THANKS,
  origins: '',
  owners: [],
  fields: (
    [
      ['name', 'Your name', 'line', true],
      ['phoneNumber', 'Phone', 'phone', false],
      ['email', 'Email', 'email', false],
      ['description', 'What happened?', 'paragraphs', true],
    ] as const
  ).map(([key, label, kind, required]) => ({
    ...newQuestion([]),
    key,
    label,
    kind,
    required,
    maps: key,
  })),
};

/** For the firm's own site: the form in a frame. @param address of the form's page */
export function frameOf(address: string, name: string): string {
  const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${address}" title="${title}" style="width: 100%; height: 900px; border: 0"></iframe>`;
}
