// Public forms: the pages that visitors see.

import { createHash } from 'node:crypto';
import {
  controls,
  emptyPage,
  nameOf,
  renderForm,
  renderNotice,
  renderThanks,
  type FormDocument,
  type SentValues,
} from '@matterdesk/contract/intake-form-page.ts';
import {
  FORM_FILE_BYTES_MAX,
  FORM_FILES_MAX,
  formPath,
  type IntakeForm,
} from '@matterdesk/contract/intake-forms.ts';
import type { Context } from '../../../context.ts';
import type { Network } from '../../../core/origin.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { FormLimits, SentForm } from '../../../http/bodies.ts';
import { toUploadRefusal } from '../../../http/upload.ts';
import { readFirm } from '../../firm/service.ts';
import { MAX_SOURCE_LENGTH } from './rules.ts';
import {
  admitSender,
  AlreadySent,
  findForm,
  InvalidAnswers,
  receiveForm,
  stampForm,
  type AdmittedRequest,
  type Outcome,
} from './service.ts';

/** A page and its content security policy, which admits its own style only. */
type Page = { html: string; policy: string };

/** A page, or a redirect. */
export type Answer =
  | { status: number; page: Page; isFramed: boolean; retryAfter?: number }
  | { status: 303; location: string };

export type Attempt = {
  slug: string;
  client: Network;
  read: (limits: FormLimits) => SentForm;
};

const NOT_HERE = ['Form not found', 'Please check the address, or call us.'] as const;
const TOO_MANY = ['Too many inquiries', 'Please try again in an hour, or call us.'] as const;

/** Problems that the sender can fix, by the code of the refusal. */
const problems: Partial<Record<string, string>> = {
  tooLarge: `Please send at most ${FORM_FILES_MAX} files of ${FORM_FILE_BYTES_MAX / 1_048_576} MB.`,
  storageFull: 'We can’t accept files right now. Please send the form without them.',
  invalidInput: `Please send at most ${FORM_FILES_MAX} files.`,
};

/** @param given the source in the address, which may be anything */
export async function showForm(context: Context, slug: string, given: unknown): Promise<Answer> {
  const source = typeof given === 'string' ? given.slice(0, MAX_SOURCE_LENGTH) : '';
  const form = await findForm(context, slug);
  if (!form) return noticePage(context, 404, NOT_HERE);
  const stamp = stampForm(context, form);
  const firm = (await readFirm(context)).name;
  return framed(200, renderForm({ ...emptyPage, form, firm, stamp, source }), form);
}

export async function thankSender(context: Context, slug: string): Promise<Answer> {
  const form = await findForm(context, slug);
  if (!form) return noticePage(context, 404, NOT_HERE);
  return framed(200, renderThanks(form, (await readFirm(context)).name), form);
}

export async function submitForm(
  context: Context,
  { slug, client, read }: Attempt,
): Promise<Answer> {
  const form = await findForm(context, slug);
  if (!form) return noticePage(context, 404, NOT_HERE);
  let admitted: AdmittedRequest;
  try {
    admitted = await admitSender(context, form, client);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'tooManyAttempts') throw error;
    const answer = await noticePage(context, 429, TOO_MANY);
    return { ...answer, retryAfter: Math.ceil(error.retryAfter ?? 60) };
  }
  const sent = read(limitsOf(form));
  const outcome = await tryReceiving(context, form, { sent, admitted });
  const thanks = { status: 303, location: `${formPath(form.slug)}/thanks` } as const;
  if (outcome !== 'already sent' && outcome.isKept) return thanks;
  await admitted.giveBack();
  return outcome === 'already sent'
    ? thanks
    : showAgain(context, form, { sent: sent.text, ...outcome });
}

async function tryReceiving(
  context: Context,
  form: IntakeForm,
  { sent, admitted }: { sent: SentForm; admitted: AdmittedRequest },
): Promise<Outcome | 'already sent'> {
  try {
    return await receiveForm(context, form, { ...sent, ...admitted });
  } catch (error) {
    if (error instanceof AlreadySent) return 'already sent';
    if (error instanceof InvalidAnswers) return error.outcome;
    const refusal = toUploadRefusal(error);
    const problem = refusal instanceof Refusal ? problems[refusal.code] : undefined;
    if (problem === undefined) throw refusal;
    return { isKept: false, errors: new Map(), problem };
  }
}

type RejectedInquiry = Exclude<Outcome, { isKept: true }> & { sent: SentValues };

async function showAgain(
  context: Context,
  form: IntakeForm,
  { sent, errors, problem, madeAt = Date.now() }: RejectedInquiry,
): Promise<Answer> {
  // A corrected page keeps its age, so that a quick correction does not look like spam.
  const stamp = stampForm(context, form, madeAt);
  const [source = ''] = sent.get(controls.source) ?? [];
  const firm = (await readFirm(context)).name;
  const page = { form, firm, stamp, source, sent, errors, ...(problem && { problem }) };
  return framed(400, renderForm(page), form);
}

async function noticePage(
  context: Context,
  status: number,
  [title, text]: readonly [string, string],
) {
  const page = toPage(renderNotice(title, text, (await readFirm(context)).name));
  return { status, page, isFramed: false };
}

function framed(status: number, page: FormDocument, { origins }: IntakeForm): Answer {
  return { status, page: toPage(page, origins), isFramed: origins.length > 0 };
}

function limitsOf({ fields }: IntakeForm): FormLimits {
  const fileNames = fields.filter(({ kind }) => kind === 'file').map((field) => nameOf(field));
  return { fileNames: new Set(fileNames), files: FORM_FILES_MAX, bytes: FORM_FILE_BYTES_MAX };
}

/** @param origins sites that may frame it */
function toPage({ title, style, body }: FormDocument, origins: readonly string[] = []): Page {
  const hash = createHash('sha256').update(style).digest('base64');
  const frames = origins.length > 0 ? origins.join(' ') : "'none'";
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title><style>${style}</style></head>
<body>${body}</body></html>`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
  ].join('; ');
  return { html, policy };
}
