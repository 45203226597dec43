import { useState } from 'react';
import type { MailboxAddress, MailDetail } from '@matterdesk/contract/mails.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { addressInWords, dateInWords, nameOf } from '../rules.ts';

type Head = Pick<MailDetail, 'from' | 'to' | 'cc' | 'date'>;

/** Who wrote a mail, to whom, and when. */
export function MailHead({ from, to, cc, date }: Head) {
  return (
    <div className="mt-3 flex flex-wrap items-start gap-x-3 gap-y-1">
      <span className="mt-[7px]">
        <Avatar name={nameOf(from)} />
      </span>
      <div className="min-w-0 grow basis-56">
        <p className="wrap-anywhere">
          <bdi className="font-medium">{nameOf(from)}</bdi>{' '}
          {from && from.name !== '' && <span className="text-ink-2">{from.email}</span>}
        </p>
        <p className="text-sm text-ink-2 wrap-anywhere">
          {to ? <People word="to" people={[to]} /> : 'to nobody'}
          {cc.length > 0 && (
            <>
              {' · '}
              <People word="cc" people={cc} />
            </>
          )}
        </p>
      </div>
      <time dateTime={date} className="text-sm/9 text-ink-2 tabular-nums">
        {dateInWords(date)}
      </time>
    </div>
  );
}

/** Names beyond which a list of recipients is folded. */
const MOST_NAMES = 6;

function People({ word, people }: { word: string; people: readonly MailboxAddress[] }) {
  const [areAllShown, setAllShown] = useState(people.length <= MOST_NAMES);
  return (
    <>
      {word}{' '}
      {people.slice(0, areAllShown ? undefined : MOST_NAMES - 1).map((one, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an address may stand there twice
        <span key={index} title={addressInWords(one)}>
          {index > 0 && ', '}
          <bdi>{nameOf(one)}</bdi>
        </span>
      ))}
      {!areAllShown && (
        <>
          {' '}
          <button type="button" className="link" onClick={() => setAllShown(true)}>
            and {people.length - MOST_NAMES + 1} more
          </button>
        </>
      )}
    </>
  );
}
