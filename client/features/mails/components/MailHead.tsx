import { useContext, useState } from 'react';
import type { MailboxAddress, MailDetail } from '@matterdesk/contract/mails.ts';
import { ContactLinkContext } from '../../../core/contact-link.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { addressInWords, dateInWords, nameOf, personOf } from '../rules.ts';

type Head = Pick<MailDetail, 'from' | 'to' | 'cc' | 'date'>;

/** The sender, the recipients and the date of a mail. */
export function MailHead({ from, to, cc, date }: Head) {
  const linkOf = useContext(ContactLinkContext);
  return (
    <div className="mt-3 flex flex-wrap items-start gap-x-3 gap-y-1">
      <span className="mt-[7px]">
        <Avatar name={personOf(from)} />
      </span>
      <div className="min-w-0 grow basis-56">
        <p className="wrap-anywhere">
          <bdi className="font-medium">{nameOf(from)}</bdi>{' '}
          {from && from.name !== '' && <span className="text-ink-2">{from.email}</span>}
        </p>
        <p className="text-sm text-ink-2 wrap-anywhere">
          {to ? <People word="to" people={[to]} /> : 'no recipients'}
          {cc.length > 0 && (
            <>
              {' · '}
              <People word="cc" people={cc} />
            </>
          )}
        </p>
        {from && linkOf?.(from.email)}
      </div>
      <time dateTime={date} className="text-sm/9 text-ink-2 tabular-nums">
        {dateInWords(date)}
      </time>
    </div>
  );
}

/** How many recipients are shown before the rest is collapsed. */
const MAX_NAMES = 6;

function People({ word, people }: { word: string; people: readonly MailboxAddress[] }) {
  const [areAllShown, setAllShown] = useState(people.length <= MAX_NAMES);
  return (
    <>
      {word}{' '}
      {people.slice(0, areAllShown ? undefined : MAX_NAMES - 1).map((person, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an address may appear twice
        <span key={index} title={addressInWords(person)}>
          {index > 0 && ', '}
          <bdi>{nameOf(person)}</bdi>
        </span>
      ))}
      {!areAllShown && (
        <>
          {' '}
          <button type="button" className="link" onClick={() => setAllShown(true)}>
            and {people.length - MAX_NAMES + 1} more
          </button>
        </>
      )}
    </>
  );
}
