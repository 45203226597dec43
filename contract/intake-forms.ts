import * as z from 'zod/mini';
import { caseTypes } from './cases.ts';
import type { FieldError } from './errors.ts';
import { intakeRoles } from './intakes.ts';
import { defineRoute } from './route.ts';
import { choice, id, line, optionalLine, optionalParagraphs, paragraphs } from './text.ts';

export const formFieldKinds = [
  ...(['line', 'paragraphs', 'choice', 'choices', 'date'] as const),
  ...(['number', 'phone', 'email', 'yesNo', 'file'] as const),
] as const;
export type FormFieldKind = (typeof formFieldKinds)[number];

/** Copies an answer to a member of the intake, or to a party in this role. */
export const fieldMaps = [
  ...(['name', 'phoneNumber', 'email', 'address', 'description', 'DOI', 'source'] as const),
  ...intakeRoles,
] as const;

export const FIELDS_MAX = 40;
export const FORM_FILES_MAX = 5;
export const FORM_FILE_BYTES_MAX = 20 * 1024 * 1024;
const OPTIONS_MAX = 50;
const LIST_MAX = 50;

/** Wordings of the boxes under every form. */
export const NO_CLIENT_YET = 'I understand that this does not make me a client.';
export const MAY_TEXT = 'You may text me at this number.';

/** Shown after sending, unless the firm words its own. */
export const DEFAULT_THANKS = 'Thank you. We’ll call you back as soon as we can.';

const KEY = /^[a-z][a-zA-Z0-9]{0,39}$/;
const keyText = 'Key must be a word of at most 40 letters and digits';
const key = line('Key', { max: 40 }).check(z.regex(KEY, keyText));
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;
const slugText = 'Slug must be lower-case letters, digits and hyphens';

const FieldSchema = z.strictObject({
  key,
  label: line('Label'),
  kind: choice('Kind', formFieldKinds),
  required: z._default(z.boolean('Required must be true or false'), false),
  options: z._default(
    z
      .array(line('Option'), 'Options must be a list of texts')
      .check(z.maxLength(OPTIONS_MAX, `Options can have at most ${OPTIONS_MAX} entries`)),
    [],
  ),
  help: z._default(optionalLine('Help', { max: 300 }), ''),
  showIf: z._default(z.nullable(z.strictObject({ key, equals: line('Equals') })), null),
  maps: z._default(z.nullable(choice('Maps', fieldMaps)), null),
});
export type FormField = z.infer<typeof FieldSchema>;

const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?\/?$/i;
const originText = 'Origins must be addresses such as https://www.firm.example';

const fields = {
  slug: line('Slug', { max: 60 }).check(z.regex(SLUG, slugText)),
  name: line('Name'),
  type: z.nullable(choice('Type', caseTypes)),
  intro: optionalParagraphs('Intro', { max: 1000 }),
  fields: z
    .array(FieldSchema, 'Fields must be a list of questions')
    .check(z.maxLength(FIELDS_MAX, `Fields can have at most ${FIELDS_MAX} entries`)),
  notice: optionalParagraphs('Notice', { max: 1000 }),
  thanks: paragraphs('Thanks', { max: 1000 }),
  origins: z
    .array(
      line('Origin').check(
        z.regex(ORIGIN, originText),
        z.overwrite((origin) => origin.replace(/\/$/, '').toLowerCase()),
      ),
      originText,
    )
    .check(z.maxLength(LIST_MAX, `Origins can have at most ${LIST_MAX} entries`)),
  owners: z
    .array(id('Please select any user'), 'Owners must be a list of user ids')
    .check(z.maxLength(LIST_MAX, `Owners can have at most ${LIST_MAX} people`)),
  active: z.boolean('Active must be true or false'),
};

export const NewIntakeFormSchema = z.strictObject({
  ...fields,
  type: z._default(fields.type, null),
  intro: z._default(fields.intro, ''),
  notice: z._default(fields.notice, ''),
  thanks: z._default(fields.thanks, DEFAULT_THANKS),
  origins: z._default(fields.origins, []),
  owners: z._default(fields.owners, []),
  active: z._default(fields.active, false),
});
export type NewIntakeForm = z.infer<typeof NewIntakeFormSchema>;

export const IntakeFormPatchSchema = z.partial(z.strictObject(fields));
export type IntakeFormPatch = z.infer<typeof IntakeFormPatchSchema>;

const text = z.string();
export const IntakeFormSchema = z.object({
  id: text,
  slug: text,
  name: text,
  type: z.nullable(z.enum(caseTypes)),
  intro: text,
  fields: z.array(
    z.object({
      key: text,
      label: text,
      kind: z.enum(formFieldKinds),
      required: z.boolean(),
      options: z.array(text),
      help: text,
      showIf: z.nullable(z.object({ key: text, equals: text })),
      maps: z.nullable(z.enum(fieldMaps)),
    }),
  ),
  notice: text,
  thanks: text,
  origins: z.array(text),
  owners: z.array(text),
  active: z.boolean(),
});
export type IntakeForm = z.infer<typeof IntakeFormSchema>;

/** Errors of the questions as a whole. */
export function findFormErrors(asked: readonly FormField[]): FieldError[] {
  const errors: FieldError[] = [];
  const has = (...maps: string[]) => asked.some((field) => maps.includes(field.maps ?? ''));
  if (!has('name') || !has('phoneNumber', 'email'))
    errors.push({
      path: 'fields',
      message: 'Please ask for the name, and for a phone number or an e-mail address',
    });
  for (const [index, { key: own, kind, options, showIf }] of asked.entries()) {
    const before = asked.slice(0, index);
    const place = `fields.${index}`;
    if (before.some((field) => field.key === own))
      errors.push({ path: `${place}.key`, message: `Two questions have the key ${own}` });
    if ((kind === 'choice' || kind === 'choices') && options.length === 0)
      errors.push({ path: `${place}.options`, message: 'Please enter at least one option' });
    const shown = showIf && before.find((field) => field.key === showIf.key);
    if (showIf && !(shown && answersOf(shown).includes(showIf.equals)))
      errors.push({
        path: `${place}.showIf`,
        message: 'Please choose an answer of an earlier question',
      });
  }
  return errors;
}

/** The answers among which a question lets choose. */
export function answersOf({ kind, options }: Pick<FormField, 'kind' | 'options'>): string[] {
  if (kind === 'yesNo') return ['Yes', 'No'];
  return kind === 'choice' || kind === 'choices' ? options : [];
}

const path = '/api/v1/intakeForms';
const aForm = z.object({ form: IntakeFormSchema });

/** The public page of a form. */
export function formPath(slug: string): string {
  return `/intake/${encodeURIComponent(slug)}`;
}

export const intakeFormRoutes = {
  listForms: defineRoute({
    method: 'GET',
    path,
    summary: 'Public forms, by name',
    access: 'admin',
    reply: z.object({ forms: z.array(IntakeFormSchema) }),
    message: 'OK',
  }),
  addForm: defineRoute({
    method: 'POST',
    path,
    summary: 'Adds a public form',
    access: 'admin',
    body: NewIntakeFormSchema,
    reply: aForm,
    status: 201,
    message: 'Form created',
    idempotent: true,
  }),
  changeForm: defineRoute({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Changes a public form, or switches it on or off',
    access: 'admin',
    body: IntakeFormPatchSchema,
    reply: aForm,
    message: 'Form saved',
  }),
};
