/** A consent request. */
export type Consent = {
  action: string;
  users: { email: string; name: string }[];
  scopes: string[];
  /** Returned with the answer. */
  request: Record<string, string>;
};

const WORDS: Record<string, string> = {
  openid: 'Know who you are',
  'https://www.googleapis.com/auth/userinfo.email': 'See your e-mail address',
  'https://www.googleapis.com/auth/gmail.modify': 'Read, compose and send e-mail',
  'https://www.googleapis.com/auth/gmail.readonly': 'Read your e-mail',
  'https://www.googleapis.com/auth/gmail.compose': 'Manage drafts and send e-mail',
  'https://www.googleapis.com/auth/gmail.send': 'Send e-mail on your behalf',
};

/** The page with accounts, optional permissions, Allow and Deny. */
export function consentPage({ action, users, scopes, request }: Consent): string {
  const chosen = request['login_hint'] ?? users[0]?.email;
  const accounts = users.map(({ email, name }) =>
    choice(
      'radio',
      { name: 'email', value: email, isChecked: email === chosen },
      `${name} (${email})`,
    ),
  );
  const permissions = scopes.map((scope) =>
    choice('checkbox', { name: 'granted', value: scope, isChecked: true }, WORDS[scope] ?? scope),
  );
  const hidden = Object.entries(request).map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  return page(
    'Sign in with Google (stand-in)',
    `<p>This page stands in for Google. Nothing leaves this machine.</p>
    <form method="post" action="${escape(action)}">
      ${hidden.join('')}
      <fieldset><legend>Choose an account</legend>${accounts.join('')}</fieldset>
      <fieldset><legend>The program asks to</legend>${permissions.join('')}</fieldset>
      <p><button name="decision" value="deny">Deny</button>
      <button name="decision" value="allow" class="main">Allow</button></p>
    </form>`,
  );
}

/** The page for an invalid request. */
export function refusalPage(reason: string): string {
  return page('Access blocked: authorization error', `<p>${escape(reason)}</p>`);
}

function choice(
  type: 'radio' | 'checkbox',
  { name, value, isChecked }: { name: string; value: string; isChecked: boolean },
  label: string,
) {
  const checked = isChecked ? ' checked' : '';
  return `<label><input type="${type}" name="${name}" value="${escape(value)}"${checked}> ${escape(label)}</label>`;
}

function page(title: string, body: string) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>${escape(title)}</title><style>
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; color: #202124 }
    fieldset { border: 1px solid #dadce0; border-radius: .5rem; margin: 1rem 0; padding: 1rem }
    label { display: block; padding: .25rem 0; overflow-wrap: anywhere }
    button { font: inherit; padding: .5rem 1.5rem; border: 1px solid #dadce0; border-radius: .25rem; background: #fff }
    .main { background: #1a73e8; color: #fff; border-color: #1a73e8 }
    </style><h1>${escape(title)}</h1>${body}</html>`;
}

function escape(text: string) {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
