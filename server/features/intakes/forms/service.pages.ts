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
import type { Network } from '../../../core/network.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { FormLimits, SentForm } from '../../../http/sent-form.ts';
import { toUploadRefusal } from '../../../http/upload.ts';
import { toPage, type Page } from './rules.page.ts';
import {
  SentBefore,
  Wrong,
  type Admitted,
  type Outcome,
  type ReceivingService,
} from './service.receiving.ts';

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

/** The pages of the public forms. */
export class FormPages {
  readonly #receiving: ReceivingService;

  constructor(receiving: ReceivingService) {
    this.#receiving = receiving;
  }

  async show(slug: string, source: string): Promise<Answer> {
    const form = await this.#receiving.findForm(slug);
    if (!form) return this.#notice(404, NOT_HERE);
    const stamp = this.#receiving.stampOf(form);
    const firm = await this.#receiving.firmName();
    return framed(200, renderForm({ ...fresh, form, firm, stamp, source }), form);
  }

  async thank(slug: string): Promise<Answer> {
    const form = await this.#receiving.findForm(slug);
    if (!form) return this.#notice(404, NOT_HERE);
    return framed(200, renderThanks(form, await this.#receiving.firmName()), form);
  }

  async take({ slug, client, read }: Attempt): Promise<Answer> {
    const form = await this.#receiving.findForm(slug);
    if (!form) return this.#notice(404, NOT_HERE);
    let admitted: Admitted;
    try {
      admitted = await this.#receiving.admit(form, client);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'tooManyAttempts') throw error;
      const answer = await this.#notice(429, TOO_MANY);
      return { ...answer, retryAfter: Math.ceil(error.retryAfter ?? 60) };
    }
    const sent = read(limitsOf(form));
    const outcome = await this.#receive(form, sent, admitted);
    const thanks = { status: 303, location: `${formPath(form.slug)}/thanks` } as const;
    if (outcome !== 'sent before' && outcome.isKept) return thanks;
    await admitted.giveBack();
    return outcome === 'sent before' ? thanks : this.#showAgain(form, sent.text, outcome);
  }

  async #receive(
    form: IntakeForm,
    sent: SentForm,
    admitted: Admitted,
  ): Promise<Outcome | 'sent before'> {
    try {
      return await this.#receiving.receive(form, sent, admitted);
    } catch (error) {
      if (error instanceof SentBefore) return 'sent before';
      if (error instanceof Wrong) return error.outcome;
      const refusal = toUploadRefusal(error);
      const problem = refusal instanceof Refusal ? problems[refusal.code] : undefined;
      if (problem === undefined) throw refusal;
      return { isKept: false, errors: new Map(), problem };
    }
  }

  async #showAgain(
    form: IntakeForm,
    sent: Sent,
    { errors, problem, madeAt = Date.now() }: Exclude<Outcome, { isKept: true }>,
  ): Promise<Answer> {
    // A corrected page is as old as the first, so that correcting quickly arouses no suspicion.
    const stamp = this.#receiving.stampOf(form, madeAt);
    const [source = ''] = sent.get(controls.source) ?? [];
    const firm = await this.#receiving.firmName();
    const page = { form, firm, stamp, source, sent, errors, ...(problem && { problem }) };
    return framed(400, renderForm(page), form);
  }

  async #notice(status: number, [title, text]: readonly [string, string]) {
    const page = toPage(renderNotice(title, text, await this.#receiving.firmName()));
    return { status, page, isFramed: false };
  }
}

function framed(status: number, page: FormDocument, { origins }: IntakeForm): Answer {
  return { status, page: toPage(page, origins), isFramed: origins.length > 0 };
}

function limitsOf({ fields }: IntakeForm): FormLimits {
  const fileNames = fields.filter(({ kind }) => kind === 'file').map((field) => nameOf(field));
  return { fileNames: new Set(fileNames), files: FORM_FILES_MAX, bytes: FORM_FILE_BYTES };
}
