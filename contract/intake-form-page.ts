// The public page of a form, which the server sends to strangers and the builder shows to admins.

import {
  answersOf,
  formPath,
  MAY_TEXT,
  NO_CLIENT_YET,
  type FormField,
  type NewIntakeForm,
} from './intake-forms.ts';

/** Values that a page sent, by the names of its controls; files apart. */
export type SentValues = ReadonlyMap<string, readonly string[]>;

/** Names of the controls that every page has. */
export const controls = {
  stamp: 'stamp',
  source: 'source',
  /** Hidden, so that only programs fill it in. */
  trap: 'website',
  understood: 'understood',
  mayText: 'mayText',
} as const;
export const nameOf = ({ key }: Pick<FormField, 'key'>) => `f-${key}`;

/** HTML and CSS of a page. */
export type FormDocument = { title: string; style: string; body: string };
export type PublicForm = Pick<
  NewIntakeForm,
  'slug' | 'name' | 'intro' | 'fields' | 'notice' | 'thanks'
>;
type Errors = ReadonlyMap<string, string>;

type FormPage = {
  form: PublicForm;
  firm: string;
  stamp: string;
  source: string;
  /** Values sent before, to fill in again; empty for a fresh page. */
  sent: SentValues;
  /** Errors by key; `understood` has its own. */
  errors: Errors;
  /** An error of the form as a whole. */
  problem?: string;
};

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text inside of HTML, or of a quoted attribute. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** The form, with what was wrong and what was answered. */
export function renderForm(page: FormPage): FormDocument {
  const { form, firm, stamp, source, sent, errors, problem } = page;
  const hasFiles = form.fields.some(({ kind }) => kind === 'file');
  const kind = hasFiles ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const hasPhone = form.fields.some(({ maps }) => maps === 'phoneNumber');
  const body = `
<h1>${escape(form.name)}</h1>
${form.intro && `<p class="intro">${escape(form.intro)}</p>`}
${summary(form, errors, problem)}
<form method="post" action="${formPath(form.slug)}" enctype="${kind}" novalidate>
<input type="hidden" name="${controls.stamp}" value="${escape(stamp)}">
<input type="hidden" name="${controls.source}" value="${escape(source)}">
<p class="trap" aria-hidden="true"><label>Leave this empty
<input name="${controls.trap}" tabindex="-1" autocomplete="off"></label></p>
${form.fields.map((field) => renderField(field, sent, errors)).join('\n')}
${box({ name: controls.understood, label: NO_CLIENT_YET, sent, error: errors.get(controls.understood) })}
${hasPhone ? box({ name: controls.mayText, label: `${MAY_TEXT} (optional)`, sent }) : ''}
<button type="submit">Send</button>
</form>
${form.notice && `<p class="notice">${escape(form.notice)}</p>`}`;
  return render({ title: form.name, firm, body, form });
}

export function renderThanks(form: PublicForm, firm: string): FormDocument {
  const body = `<h1>Thank you</h1><p class="intro">${escape(form.thanks)}</p>`;
  return render({ title: 'Thank you', firm, body, form });
}

/** A page without a form, such as for an address that leads nowhere. */
export function renderNotice(title: string, text: string, firm: string): FormDocument {
  return render({ title, firm, body: `<h1>${escape(title)}</h1><p>${escape(text)}</p>` });
}

type Parts = { title: string; firm: string; body: string; form?: PublicForm };

function render({ title, firm, body, form }: Parts): FormDocument {
  return {
    title: escape(firm ? `${title} · ${firm}` : title),
    style: FORM_STYLE + (form ? conditions(form) : ''),
    body: `${firm && `<header>${escape(firm)}</header>`}<main>${body}</main>`,
  };
}

/** Questions that depend on an answer, hidden without a script; a browser that cannot shows them all. */
function conditions({ fields }: PublicForm): string {
  return fields
    .map(({ key, showIf }) => {
      const asked = showIf && fields.find((field) => field.key === showIf.key);
      if (!showIf || !asked) return '';
      const place = answersOf(asked).indexOf(showIf.equals);
      const chosen =
        asked.kind === 'choice'
          ? `#${nameOf(asked)} option:nth-child(${place + 2}):checked`
          : `#${nameOf(asked)}-${place}:checked`;
      return `form:not(:has(${chosen})) #q-${key}{display:none}`;
    })
    .join('');
}

function summary(form: PublicForm, errors: Errors, problem: string | undefined): string {
  if (errors.size === 0 && problem === undefined) return '';
  const items = [...errors].map(([key, message]) => {
    const field = form.fields.find((each) => each.key === key);
    return `<li><a href="#${field ? nameOf(field) : escape(key)}">${escape(message)}</a></li>`;
  });
  const title = problem ?? 'Please check these answers.';
  return `<div class="wrong" role="alert"><p>${escape(title)}</p><ul>${items.join('')}</ul></div>`;
}

function renderField(field: FormField, sent: SentValues, errors: Errors): string {
  const { key, label, kind, required, help } = field;
  const id = nameOf(field);
  const error = errors.get(key);
  const notes = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ');
  const aria = `${notes && ` aria-describedby="${notes}"`}${error ? ' aria-invalid="true"' : ''}`;
  const isGroup = kind === 'yesNo' || kind === 'choices';
  const optional = required || isContact(field) ? '' : ' <span class="note">(optional)</span>';
  const name = `${escape(label)}${optional}`;
  const below = `${error ? `<p class="error" id="${id}-error">${escape(error)}</p>` : ''}${
    help && `<p class="note" id="${id}-help">${escape(help)}</p>`
  }`;
  if (isGroup)
    return `<fieldset id="q-${key}"${aria}><legend id="${id}" tabindex="-1">${name}</legend>${renderChoices(field, sent)}${below}</fieldset>`;
  return `<div id="q-${key}" class="${kind}"><label for="${id}">${name}</label>${renderControl(field, { sent, aria })}${below}</div>`;
}

/** Requires a phone number or an email address, as the form says. */
function isContact({ maps }: FormField): boolean {
  return maps === 'phoneNumber' || maps === 'email';
}

const types: Partial<Record<FormField['kind'], string>> = {
  date: 'type="date"',
  phone: 'type="tel" autocomplete="tel"',
  email: 'type="email" autocomplete="email"',
  number: 'inputmode="decimal"',
  file: 'type="file" multiple',
};

function renderControl(
  field: FormField,
  { sent, aria }: { sent: SentValues; aria: string },
): string {
  const id = nameOf(field);
  const [value = ''] = sent.get(id) ?? [];
  const must = field.required && field.showIf === null ? ' required' : '';
  const shared = `id="${id}" name="${id}"${must}${aria}`;
  if (field.kind === 'paragraphs')
    return `<textarea ${shared} rows="5" maxlength="4000">\n${escape(value)}</textarea>`;
  if (field.kind === 'choice')
    return `<select ${shared}><option value=""></option>${field.options
      .map((option) => {
        const mark = option === value ? ' selected' : '';
        return `<option${mark}>${escape(option)}</option>`;
      })
      .join('')}</select>`;
  const name = field.maps === 'name' ? ' autocomplete="name"' : '';
  const filled = field.kind === 'file' ? '' : ` value="${escape(value)}"`;
  return `<input ${types[field.kind] ?? ''} ${shared}${name}${filled}>`;
}

function renderChoices(field: FormField, sent: SentValues): string {
  const id = nameOf(field);
  const type = field.kind === 'yesNo' ? 'radio' : 'checkbox';
  return answersOf(field)
    .map((option, index) => {
      const mark = sent.get(id)?.includes(option) ? ' checked' : '';
      return `<label class="choice"><input type="${type}" id="${id}-${index}" name="${id}" value="${escape(option)}"${mark}>${escape(option)}</label>`;
    })
    .join('');
}

type Box = { name: string; label: string; sent: SentValues; error?: string | undefined };

function box({ name, label, sent, error }: Box): string {
  const mark = sent.get(name)?.includes('yes') ? ' checked' : '';
  const wrong = error === undefined ? '' : `<p class="error">${escape(error)}</p>`;
  return `<div><label class="choice"><input type="checkbox" id="${name}" name="${name}" value="yes"${mark}><span>${escape(label)}</span></label>${wrong}</div>`;
}

export const emptyPage: Pick<FormPage, 'sent' | 'errors'> = { sent: new Map(), errors: new Map() };

/** The look of public pages, whose policy lets in no other. */
const FORM_STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf8,#131214);--surface:light-dark(#fff,#1a191c);
--line:light-dark(#d3cfc6,#3b3840);--ink:light-dark(#1c1a17,#f2f0ec);--quiet:light-dark(#57534b,#b5b0a8);
--accent:light-dark(#4338ca,#a5b0fb);--on:light-dark(#fff,#16163a);--red:light-dark(#b42318,#f8a49b);
--soft:light-dark(#fdf0ee,#3a1c1a)}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Inter,system-ui,sans-serif}
header,main{max-width:36rem;margin:0 auto;padding:0 20px}
header{padding-block:14px;font:600 18px/1.3 'Source Serif 4',Georgia,serif}
body:has(header){border-top:0}
main{padding-bottom:32px}
h1{margin:12px 0 4px;font:550 26px/1.25 'Source Serif 4',Georgia,serif}
p{margin:0}
.intro,.notice{color:var(--quiet);white-space:pre-line}
.notice{margin-top:14px;font-size:14px}
form>div,fieldset{margin:16px 0 0;padding:0;border:0;min-width:0}
label,legend{display:block;padding:0;margin-bottom:4px;font-size:15px;font-weight:500}
input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea{display:block;width:100%;min-height:44px;
padding:9px 12px;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:inherit;font:inherit}
input[type=checkbox],input[type=radio]{width:20px;height:20px;margin:2px 0 0;flex:none;accent-color:var(--accent)}
label.choice{display:flex;gap:12px;min-height:44px;align-items:flex-start;padding-block:8px;margin:0;font-weight:400}
.note{color:var(--quiet);font-size:14px;font-weight:400}
.error{margin-top:4px;color:var(--red);font-size:14px}
[aria-invalid] :is(input,select,textarea),:is(input,select,textarea)[aria-invalid]{border-color:var(--red)}
.wrong{margin-top:16px;padding:12px 16px;border:1px solid var(--red);border-radius:8px;background:var(--soft)}
.wrong p{font-weight:500}.wrong ul{margin:4px 0 0;padding-left:20px}.wrong a{color:inherit}
button{width:100%;min-height:48px;margin-top:16px;border:0;border-radius:8px;background:var(--accent);color:var(--on);
font:500 16px/1 inherit;font-family:inherit;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.trap{position:absolute;left:-10000px;width:1px;height:1px;overflow:hidden}
`;
