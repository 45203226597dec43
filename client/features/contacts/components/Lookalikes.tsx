import Copy from 'lucide-react/icons/copy';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Contact, ContactCard, Lookalike } from '@matterdesk/contract/contacts.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { paths } from '../../../core/paths.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { keepApart, pairOf, unmergeContacts } from '../api.ts';

const MergeDialog = lazyNamed(() => import('./MergeDialog.tsx'), 'MergeDialog');

/** Contacts that may be the same, for a person to decide, and merges that can still be undone. */
export function Lookalikes({ card: { contact, lookalikes, merged } }: { card: ContactCard }) {
  if (lookalikes.length + merged.length === 0) return null;
  return (
    <section aria-label="Possibly the same" className="grid gap-2">
      {lookalikes.map((each) => (
        <Alike key={each.contact.id} contact={contact} lookalike={each} />
      ))}
      {merged.map(({ contact: other, at }) => (
        <Row
          key={other.id}
          text={
            <>
              {'Merged with '}
              <span className="font-medium">{other.name}</span>
              {` on ${formatDay(localDay(new Date(at)))}`}
            </>
          }
          detail="You can undo this merge for 30 days."
        >
          <Action run={() => unmergeContacts(pairOf(contact, other))}>Undo merge</Action>
        </Row>
      ))}
    </section>
  );
}

function Alike({ contact, lookalike }: { contact: Contact; lookalike: Lookalike }) {
  const { contact: other, reason } = lookalike;
  const [isComparing, setIsComparing] = useState(false);
  const known = [other.organisation, ...other.phoneNumbers, ...other.emails].filter(Boolean);
  return (
    <Row
      text={
        <>
          <Link to={paths.contact(other.id)} className="font-medium hover:underline">
            {other.name}
          </Link>
          {` may be the same ${contact.kind}: ${reason}`.replace('organisation', 'organization')}
        </>
      }
      detail={known.slice(0, 3).join(' · ')}
    >
      <Button onClick={() => setIsComparing(true)}>Compare and merge</Button>
      <Action isQuiet run={() => keepApart(pairOf(contact, other))}>
        Not the same
      </Action>
      {isComparing && (
        <MergeDialog contact={contact} other={other} onClose={() => setIsComparing(false)} />
      )}
    </Row>
  );
}

interface RowProps {
  text: ReactNode;
  detail: string;
  children: ReactNode;
}

function Row({ text, detail, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-2.5">
      <Copy className="text-ink-3" />
      <div className="min-w-48 flex-1">
        <p className="text-ink-2 wrap-anywhere [&_:is(a,span)]:text-ink">{text}</p>
        {detail !== '' && <p className="text-note text-ink-3 wrap-anywhere">{detail}</p>}
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

interface ActionProps {
  isQuiet?: boolean;
  run: () => Promise<unknown>;
  children: string;
}

function Action({ isQuiet = false, run, children }: ActionProps) {
  const { isBusy, attempt } = useAttempt();
  return (
    <Button
      variant={isQuiet ? 'quiet' : 'default'}
      busy={isBusy}
      onClick={() => void attempt(null, run)}
    >
      {children}
    </Button>
  );
}
