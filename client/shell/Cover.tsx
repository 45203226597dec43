import Lock from 'lucide-react/icons/lock';
import { type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { CallError } from '../api.ts';
import { fullName } from '../core/full-name.ts';
import { markTouch, setCovered, touchMark } from '../core/idle.ts';
import { useAppSelector, store } from '../core/store.ts';
import { canUsePasskeys } from '../features/accounts/rules.passkeys.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { PasswordInput, TextInput } from '../ui/TextInput.tsx';
import { signOut } from './session.ts';

type UnlockFailure = { path: string; message: string };

/** Events that hidden parts of the page would take as a press or a key outside of them. */
const BLOCKED_EVENTS = [
  'keydown',
  'keyup',
  'pointerdown',
  'mousedown',
  'touchstart',
  'focusin',
  'focusout',
];

/** Covers an idle page, which stays as it is behind the cover, hidden and inert. */
export function Cover() {
  const person = useAppSelector((state) => state.user.current);
  const dialog = useRef<HTMLDialogElement>(null);
  const [failed, setFailed] = useState<UnlockFailure>();
  const [isBusy, setIsBusy] = useState(false);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(keepFromPage, []);
  useEffect(nameTab, []);
  useEffect(() => void loadAccess().catch(() => undefined), []);
  const asksForCode = failed?.path === 'code';
  useEffect(() => {
    if (failed) dialog.current?.querySelector<HTMLInputElement>(`[name="${failed.path}"]`)?.focus();
  }, [failed]);
  const attempt = async (work: () => Promise<void>) => {
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      setFailed(failureOf(error));
      setIsBusy(false);
    }
  };
  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const entered = new FormData(event.currentTarget);
    const [password, code] = [textOf(entered, 'password'), textOf(entered, 'code')];
    if (!password) return setFailed({ path: 'password', message: 'Password is required' });
    await attempt(() => unlock({ password, ...(code && { code }) }));
  };
  const error = (path: string) => (failed?.path === path ? failed.message : undefined);
  return createPortal(
    <dialog
      ref={dialog}
      data-cover=""
      aria-labelledby="cover-title"
      onCancel={(event) => event.preventDefault()}
      // A second Escape closes it all the same in some browsers.
      onClose={({ currentTarget }) => currentTarget.showModal()}
      className="fixed inset-0 m-0 grid h-dvh max-h-none w-screen max-w-none place-items-center overflow-y-auto bg-paper p-4 text-ink"
    >
      <div className="w-full max-w-[22.5rem]">
        <Lock className="mb-4 text-accent" />
        <h1 id="cover-title" className="font-serif text-title font-strong">
          Locked
        </h1>
        <p className="mt-1 text-ink-2 wrap-anywhere">
          {person && `${fullName(person)}, ${person.email}`}
        </p>
        <form noValidate onSubmit={(event) => void handleSubmit(event)} className="mt-6 space-y-4">
          <Field label="Password" error={error('password')}>
            <PasswordInput name="password" autoComplete="current-password" />
          </Field>
          {asksForCode && (
            <Field label="Code" error={error('code')}>
              <TextInput name="code" autoComplete="one-time-code" />
            </Field>
          )}
          {error('root') !== undefined && (
            <p role="alert" className="text-red">
              {error('root')}
            </p>
          )}
          <Button type="submit" variant="primary" size="large" busy={isBusy} className="w-full">
            Unlock
          </Button>
          {person?.secondFactor !== 'none' && canUsePasskeys() && (
            <Button size="large" className="w-full" onClick={() => void attempt(unlockByPasskey)}>
              Use a passkey
            </Button>
          )}
          <Button size="large" className="w-full" onClick={() => void signOut()}>
            Log out
          </Button>
        </form>
      </div>
    </dialog>,
    document.body,
  );
}

function textOf(entered: FormData, name: string): string {
  const text = entered.get(name);
  return typeof text === 'string' ? text : '';
}

function failureOf(error: unknown): UnlockFailure {
  // The browser's own errors are those of a passkey that was not used.
  if (!(error instanceof CallError)) return { path: 'root', message: 'No passkey was used' };
  return error.errors[0] ?? { path: 'root', message: error.message };
}

function keepFromPage() {
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  for (const name of BLOCKED_EVENTS)
    addEventListener(name, (event) => event.stopImmediatePropagation(), options);
  return () => stop.abort();
}

/** The tab's title may name a matter. */
function nameTab() {
  const title = document.createElement('title');
  title.textContent = 'Locked · Matterdesk';
  document.head.prepend(title);
  return () => title.remove();
}

/**
 * Goes on with a covered page. A session that has ended meanwhile is followed by another of the same user.
 * @param code of the second factor, which only another session needs
 * @throws CallError
 */
async function unlock({ password, code }: { password: string; code?: string }) {
  const { current } = store.getState().user;
  if (!current) return;
  const api = await loadAccess();
  try {
    await api.unlock({ body: { password } });
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'invalidToken') throw error;
    const body = { email: current.email, password, ...(code && { code }) };
    await api.loginAgain({ body });
  }
  uncover();
}

/** Unlocks with a passkey. @throws CallError, or the browser's error when the user does not want to */
async function unlockByPasskey() {
  const passkeys = await import('../features/accounts/api.factors.ts');
  const opened = await passkeys.unlockByPasskey();
  // Another user's passkey does not unlock this page.
  if (opened && opened.id !== store.getState().user.current?.id) return signOut();
  uncover();
}

/** Loaded on demand, since most pages are never covered. @throws CallError */
function loadAccess() {
  return import('../features/accounts/api.access.ts').catch(() => {
    throw new CallError('Can’t reach Matterdesk. Check your connection.', 0);
  });
}

function uncover() {
  setCovered(false);
  // Last, since it uncovers the other tabs, which take the session from the storage.
  const mark = touchMark();
  if (mark) markTouch({ ...mark, at: Date.now() });
}
