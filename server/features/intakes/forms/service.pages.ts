// The pages of the public forms.

import {
  FORM_FILE_BYTES,
  FORM_FILES_MAX,
  formPath,
  type IntakeForm,
} from '@matterdesk/contract/intake-forms.ts';
import {
  controls,
  fresh,
  nameOf,
  renderForm,
  renderNotice,
  renderThanks,
  type FormDocument,
  type Sent,
} from '@matterdesk/contract/intake-form-page.ts';
import type { Network } from '../../../core/origin.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { FormLimits, SentForm } from '../../../http/bodies.ts';
import { toUploadRefusal } from '../../../http/upload.ts';
import { toPage, type Page } from './rules.page.ts';
import {
  SentBefore,
  Wrong,
  type Admitted,
  type Outcome,
  admitSender,
  findForm,
  readFirmName,
  receiveForm,
  stampForm,
} from './service.receiving.ts';
import type { Context } from '../../../context.ts';
/** What a browser gets: a page, or where to go. */
export type Answer =
  | { status: number; page: Page; isFramed: boolean; retryAfter?: number }
  | { status: 303; location: string };

export type Attempt = {
  slug: string;
  client: Network;
  read: (limits: FormLimits) => SentForm;
};

const NOT_HERE = ['This form is not here', 'Please check the address, or call us.'] as const;
const TOO_MANY = ['Too many inquiries', 'Please try again in an hour, or call us.'] as const;

/** What a sender can mend. */
const problems: Partial<Record<string, string>> = {
  tooLarge: `Please send at most ${FORM_FILES_MAX} files of ${FORM_FILE_BYTES / 1_048_576} MB.`,
  storageFull: 'We cannot take files at the moment. Please send the form without them.',
  invalidInput: `Please send at most ${FORM_FILES_MAX} files.`,
};

export async function showForm(context: Context, slug: string, source: string): Promise<Answer> {
  const form = await findForm(context, slug);
  if (!form) return noticePage(context, 404, NOT_HERE);
  const stamp = stampForm(context, form);
  const firm = await readFirmName(context);
  return framed(200, renderForm({ ...fresh, form, firm, stamp, source }), form);
}

export async function thankSender(context: Context, slug: string): Promise<Answer> {
  const form = await findForm(context, slug);
  if (!form) return noticePage(context, 404, NOT_HERE);
  return framed(200, renderThanks(form, await readFirmName(context)), form);
}

export async function takeForm(context: Context, { slug, client, read }: Attempt): Promise<Answer> {
  const form = await findForm(context, slug);
  if (!form) return noticePage(context, 404, NOT_HERE);
  let admitted: Admitted;
  try {
    admitted = await admitSender(context, form, client);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'tooManyAttempts') throw error;
    const answer = await noticePage(context, 429, TOO_MANY);
    return { ...answer, retryAfter: Math.ceil(error.retryAfter ?? 60) };
  }
  const sent = read(limitsOf(form));
  const outcome = await receiveSent(context, form, { sent, admitted });
  const thanks = { status: 303, location: `${formPath(form.slug)}/thanks` } as const;
  if (outcome !== 'sent before' && outcome.isKept) return thanks;
  await admitted.giveBack();
  return outcome === 'sent before'
    ? thanks
    : showAgain(context, form, { sent: sent.text, ...outcome });
}

async function receiveSent(
  context: Context,
  form: IntakeForm,
  { sent, admitted }: { sent: SentForm; admitted: Admitted },
): Promise<Outcome | 'sent before'> {
  try {
    return await receiveForm(context, form, { ...sent, ...admitted });
  } catch (error) {
    if (error instanceof SentBefore) return 'sent before';
    if (error instanceof Wrong) return error.outcome;
    const refusal = toUploadRefusal(error);
    const problem = refusal instanceof Refusal ? problems[refusal.code] : undefined;
    if (problem === undefined) throw refusal;
    return { isKept: false, errors: new Map(), problem };
  }
}

async function showAgain(
  context: Context,
  form: IntakeForm,
  {
    sent,
    errors,
    problem,
    madeAt = Date.now(),
  }: Exclude<Outcome, { isKept: true }> & { sent: Sent },
): Promise<Answer> {
  // A corrected page is as old as the first, so that correcting quickly arouses no suspicion.
  const stamp = stampForm(context, form, madeAt);
  const [source = ''] = sent.get(controls.source) ?? [];
  const firm = await readFirmName(context);
  const page = { form, firm, stamp, source, sent, errors, ...(problem && { problem }) };
  return framed(400, renderForm(page), form);
}

async function noticePage(
  context: Context,
  status: number,
  [title, text]: readonly [string, string],
) {
  const page = toPage(renderNotice(title, text, await readFirmName(context)));
  return { status, page, isFramed: false };
}

function framed(status: number, page: FormDocument, { origins }: IntakeForm): Answer {
  return { status, page: toPage(page, origins), isFramed: origins.length > 0 };
}

function limitsOf({ fields }: IntakeForm): FormLimits {
  const fileNames = fields.filter(({ kind }) => kind === 'file').map((field) => nameOf(field));
  return { fileNames: new Set(fileNames), files: FORM_FILES_MAX, bytes: FORM_FILE_BYTES };
}
