import * as z from 'zod/mini';
import { caseTypes, PersonSchema } from './cases.ts';
import { folderName } from './files.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { choice, id, line, optionalParagraphs } from './text.ts';

export const TEMPLATE_BYTES_MAX = 20 * 1024 * 1024;
export const RECIPIENTS_MAX = 50;
export const ANSWER_MAX = 20_000;
const ANSWERS_MAX = 500;
export const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const text = z.string();

/** Types of case separated by commas, or a list of them; empty for every type. */
const types = z.pipe(
  z.transform((input) =>
    typeof input === 'string'
      ? input
          .split(',')
          .map((type) => type.trim())
          .filter(Boolean)
      : input,
  ),
  z
    .array(choice('Types', caseTypes), 'Types must be a list of types of case')
    .check(z.maxLength(20, 'Types can have at most 20 entries')),
);
const name = line('Name', { max: 150 });

/** Text fields of the upload of a new template. */
export const NewTemplateSchema = z.strictObject({ name, types: z._default(types, []) });
/** Text fields of the upload of a newer version; absent fields keep their values. */
export const VersionFieldsSchema = z.partial(z.strictObject({ name, types }));
const TemplatePatchSchema = z.partial(
  z.strictObject({ name, types, active: z.boolean('Active must be true or false') }),
);
export type TemplatePatch = z.infer<typeof TemplatePatchSchema>;

/** `place` is 'Page n' where Word left page breaks, else 'Paragraph n', 'Table n, row m' or 'Header'. */
export const ProblemSchema = z.object({ place: text, message: text });
export type TemplateProblem = z.infer<typeof ProblemSchema>;

const VersionSchema = z.object({
  n: z.number(),
  /** Null for a letter that came with the product. */
  by: z.nullable(PersonSchema),
  at: text,
  /** Hexadecimal. */
  sha256: text,
  problems: z.array(ProblemSchema),
});

const TemplateSchema = z.object({
  id: text,
  name: text,
  /** Empty for every type. */
  types: z.array(z.enum(caseTypes)),
  active: z.boolean(),
  /** The newest without problems, which is the one that is used; null if there is none. */
  version: z.nullable(z.number()),
  /** Newest first. */
  versions: z.array(VersionSchema),
  /** Paths and questions of the version in use; of the newest if there is none. */
  fields: z.array(text),
  questions: z.array(text),
  usesLists: z.boolean(),
  updatedAt: text,
});
export type Template = z.infer<typeof TemplateSchema>;

const TemplateFieldSchema = z.object({
  path: text,
  label: text,
  /** As a letter of the sample firm has it. */
  sample: text,
  isList: z.boolean(),
});
export type TemplateField = z.infer<typeof TemplateFieldSchema>;

/** An empty field or an unanswered question that would be printed, of one recipient. */
export const MissingFieldSchema = z.object({
  /** The question itself where a template asks. */
  path: text,
  label: text,
  places: z.array(text),
  count: z.number(),
  /** Id of the recipient. */
  for: z.nullable(text),
});
export type MissingField = z.infer<typeof MissingFieldSchema>;

const isTrue = (label: string) => z._default(z.boolean(`${label} must be true or false`), false);

const NewDocumentsSchema = z.strictObject({
  template: id('Please choose a template'),
  /** Answers by question, or by the path of an empty field; dates as YYYY-MM-DD. */
  answers: z._default(
    z
      .record(
        z.string(),
        optionalParagraphs('Answer', { max: ANSWER_MAX }),
        'Answers must be texts',
      )
      .check(
        z.refine(
          (answers) => Object.keys(answers).length <= ANSWERS_MAX,
          `Answers can have at most ${ANSWERS_MAX} entries`,
        ),
      ),
    {},
  ),
  for: z._default(
    z
      .array(id('Select a contact'), 'For must be a list of contact ids')
      .check(z.maxLength(RECIPIENTS_MAX, `For can have at most ${RECIPIENTS_MAX} contacts`)),
    [],
  ),
  folder: z._default(folderName, 'Documents'),
  /** Stands for the template's name. */
  name: z.optional(name),
  pdf: isTrue('Pdf'),
  allowMissing: isTrue('Allow Missing'),
});
export type NewDocuments = z.infer<typeof NewDocumentsSchema>;

/** Text of one look within a line of a preview. */
const PreviewRunSchema = z.object({
  text,
  bold: z.optional(z.literal(true)),
  italic: z.optional(z.literal(true)),
  underline: z.optional(z.literal(true)),
  /** Half points. */
  size: z.optional(z.number()),
  /** The empty field that the text stands for. */
  gap: z.optional(text),
});
/** A line of the first page. */
export const PreviewBlockSchema = z.object({
  align: z.optional(z.enum(['center', 'right', 'both'])),
  /** Levels. */
  indent: z.optional(z.number()),
  marker: z.optional(text),
  /** Whether a line is drawn under it. */
  rule: z.optional(z.literal(true)),
  runs: z.array(PreviewRunSchema),
  /** Cells of a table's row, which has no runs of its own. */
  row: z.optional(z.array(z.array(PreviewRunSchema))),
});
export type PreviewBlock = z.infer<typeof PreviewBlockSchema>;
export type PreviewRun = z.infer<typeof PreviewRunSchema>;

const templateFieldKinds = [
  ...(['text', 'lines', 'date', 'phone', 'number', 'choice', 'list'] as const),
] as const;
export type TemplateFieldKind = (typeof templateFieldKinds)[number];
/** With what it takes to fill it. */
const TemplateInputSchema = z.extend(MissingFieldSchema, {
  kind: z.enum(templateFieldKinds),
  /** Values of a choice. */
  choices: z.array(text),
  isQuestion: z.boolean(),
});
export type TemplateInput = z.infer<typeof TemplateInputSchema>;

const DryRunSchema = z.object({
  missing: z.array(TemplateInputSchema),
  questions: z.array(text),
  /** In the order of the recipients. */
  names: z.array(text),
  /** Those of a newer version, which is not used for them. */
  problems: z.array(ProblemSchema),
  /** The first page for the recipient that `preview` names, from 0. */
  preview: z.array(PreviewBlockSchema),
  /** Whether `pdf` can be asked for. */
  canPdf: z.boolean(),
});
export type DocumentsDryRun = z.infer<typeof DryRunSchema>;

const MadeDocumentSchema = z.object({
  url: z.nullable(text),
  pdfUrl: z.nullable(text),
  missing: z.array(MissingFieldSchema),
  /** Id of the recipient. */
  for: z.nullable(text),
  /** Why there is none, in a sentence. */
  error: z.optional(text),
});
export type MadeDocument = z.infer<typeof MadeDocumentSchema>;

const DocumentSchema = z.object({
  id: text,
  /** Id of the template. */
  template: text,
  version: z.number(),
  /** Null once the file is deleted. */
  url: z.nullable(text),
  pdfUrl: z.nullable(text),
  by: PersonSchema,
  at: text,
  missing: z.array(MissingFieldSchema),
  for: z.nullable(text),
  /** Hexadecimal; of the data that it was filled with. */
  dataSha256: text,
});
export type CaseDocument = z.infer<typeof DocumentSchema>;

const writers = { permission: 'editTemplates' } as const;
const oneTemplate = z.object({ template: TemplateSchema });
const upload = z.object({ template: TemplateSchema, problems: z.array(ProblemSchema) });
const type = z.optional(choice('Type', caseTypes));

export const templateRoutes = {
  listTemplates: defineRoute({
    method: 'GET',
    path: '/api/v1/templates',
    summary: 'Templates of letters by name; those out of use for editTemplates alone',
    access: 'signedIn',
    query: z.object({ type, search: pagingQuery.search }),
    reply: z.object({ templates: z.array(TemplateSchema) }),
    message: 'OK',
  }),
  addTemplate: defineRoute({
    method: 'POST',
    path: '/api/v1/templates',
    summary: 'Adds a Word file as a template; one with problems is kept and cannot be used',
    access: writers,
    fields: ['name', 'types'],
    optionalParts: ['types'],
    file: 'file',
    fileBytes: TEMPLATE_BYTES_MAX,
    reply: upload,
    status: 201,
    message: 'Template added',
  }),
  addTemplateVersion: defineRoute({
    method: 'POST',
    path: '/api/v1/templates/{id}/versions',
    summary: 'Adds a newer version, which is used from now on unless it has problems',
    access: writers,
    fields: ['name', 'types'],
    optionalParts: ['name', 'types'],
    file: 'file',
    fileBytes: TEMPLATE_BYTES_MAX,
    reply: upload,
    status: 201,
    message: 'Version added',
  }),
  changeTemplate: defineRoute({
    method: 'PATCH',
    path: '/api/v1/templates/{id}',
    summary: 'Renames a template, says which types it is for, or takes it out of use',
    access: writers,
    body: TemplatePatchSchema,
    reply: oneTemplate,
    message: 'Template updated',
  }),
  readTemplateFile: defineRoute({
    method: 'GET',
    path: '/api/v1/templates/{id}/file',
    summary:
      'The Word file of the version in use, or of the one named; the session cookie opens it too',
    access: 'signedIn',
    cookie: true,
    query: z.object({
      version: z.optional(
        z.pipe(
          z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'Version must be a whole number from 1')),
          z.transform(Number),
        ),
      ),
    }),
    message: 'OK',
  }),
  listTemplateFields: defineRoute({
    method: 'GET',
    path: '/api/v1/templates/fields',
    summary: 'Fields that templates can name, with what they look like in a letter',
    access: 'signedIn',
    query: z.object({ type }),
    reply: z.object({ fields: z.array(TemplateFieldSchema) }),
    message: 'OK',
  }),
  makeDocuments: defineRoute({
    method: 'POST',
    path: '/api/v1/cases/{id}/documents',
    summary:
      'Fills a template from a case, once for each recipient; with dryRun it says what is missing',
    access: 'signedIn',
    query: z.object({
      dryRun: z.optional(z.enum(['0', '1'], { error: 'dryRun must be one of 0, 1' })),
      preview: z.optional(
        z.pipe(
          z.string().check(z.regex(/^\d{1,2}$/, 'preview must be a number of a recipient')),
          z.transform(Number),
        ),
      ),
    }),
    body: NewDocumentsSchema,
    reply: z.union([DryRunSchema, z.object({ documents: z.array(MadeDocumentSchema) })]),
    status: 201,
    otherStatus: 200,
    message: 'Documents made',
    idempotent: true,
  }),
  listDocuments: defineRoute({
    method: 'GET',
    path: '/api/v1/cases/{id}/documents',
    summary: 'Documents that were made for a case, newest first',
    access: 'signedIn',
    query: z.object({ limit: pagingQuery.limit, cursor: pagingQuery.cursor }),
    reply: z.object({ documents: z.array(DocumentSchema), ...pagingReply }),
    message: 'OK',
  }),
};
