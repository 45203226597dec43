import Hourglass from 'lucide-react/icons/hourglass';
import Lock from 'lucide-react/icons/lock';
import ShieldCheck from 'lucide-react/icons/shield-check';
import type { ReactNode } from 'react';
import { Brand } from '../../../ui/Brand.tsx';

/** Written by the build: `vite.config.ts`. */
const NOTICES = '/static/third-party-notices.txt';

const PROMISES = [
  { icon: Hourglass, text: 'See every upcoming SOL first.' },
  { icon: ShieldCheck, text: 'Answers that quote the page, checked against the file.' },
  { icon: Lock, text: 'Documents stay on your firm’s own server.' },
];

interface SignInLayoutProps {
  title: string;
  /** The link to the other page: registration or sign-in. */
  aside: ReactNode;
  children: ReactNode;
}

/** The layout of sign-in and registration: the form at the left, the welcome banner at the right. */
export function SignInLayout({ title, aside, children }: SignInLayoutProps) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[minmax(29rem,10fr)_11fr]">
      <title>{`${title} · Matterdesk`}</title>
      <main className="mx-auto flex min-h-dvh w-full max-w-[22.5rem] flex-col px-4 py-6 min-[400px]:px-0 lg:mx-0 lg:max-w-none lg:px-16 lg:py-10">
        <Brand />
        <div className="my-auto w-full py-10 lg:max-w-[22.5rem]">
          <p className="mb-6 text-ink-2 lg:hidden">Welcome. Every matter in one place.</p>
          <h1 className="font-serif text-[2.125rem]/10 font-strong">{title}</h1>
          <p className="mt-1 text-ink-2">{aside}</p>
          {children}
        </div>
        <p className="text-xs text-ink-3">
          Hosted by your firm.{' '}
          <a href={NOTICES} target="_blank" rel="noreferrer" className="hover:underline">
            Third-party notices
          </a>
        </p>
      </main>
      <aside
        aria-label="Welcome"
        className="hidden flex-col justify-center border-l border-line bg-sunken px-16 lg:flex"
      >
        <p className="max-w-[32rem] font-serif text-welcome font-medium text-pretty">
          Welcome. Every matter, with its deadlines, mail and documents, in one place.
        </p>
        <ul className="mt-10 space-y-3.5 text-ink-2">
          {PROMISES.map(({ icon: Icon, text }) => (
            <li key={text} className="flex items-center gap-3">
              <Icon className="text-accent" />
              {text}
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}
