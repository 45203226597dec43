import type { Access, WalledKind } from '@matterdesk/contract/access.ts';
import { usePeople } from '../../../core/people.ts';
import { describeAfter, describeEntry, type Draft } from '../rules.ts';
import { useSelf } from './use-self.ts';

interface AfterSavingProps {
  kind: WalledKind;
  access: Access;
  draft: Draft;
}

/** What saving does, in sentences, and what was done before. */
export function AfterSaving({ kind, access, draft }: AfterSavingProps) {
  const self = useSelf().id;
  const { people } = usePeople();
  const active = people.filter((person) => person.active);
  const sentences = describeAfter(draft, { kind, access, active, self });
  return (
    <div className="grid content-start gap-5 border-line max-md:border-t max-md:pt-5 md:border-l md:pl-6">
      <section aria-live="polite">
        <h3 className="mb-1.5 font-semibold">After saving</h3>
        {sentences.map((sentence) => (
          <p key={sentence} className="mb-2 font-serif">
            {sentence}
          </p>
        ))}
      </section>
      <section>
        <h3 className="mb-1.5 font-semibold">History</h3>
        {access.history.length === 0 && (
          <p className="text-sm text-ink-2">Access has not changed yet.</p>
        )}
        <ol className="grid gap-2.5">
          {access.history.map((entry) => (
            <li key={`${entry.at} ${entry.action}`} className="text-sm">
              <p className="wrap-anywhere">{describeEntry(entry)}</p>
              <p className="text-note text-ink-2">
                {new Date(entry.at).toLocaleString(undefined, {
                  dateStyle: 'medium',
                  timeStyle: 'short',
                })}
              </p>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
