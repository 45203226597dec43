import Inbox from 'lucide-react/icons/inbox';
import type { Failure } from '../../../core/entries.ts';
import { useAppSelector } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { IntakePage } from '../slice.ts';
import { IntakeBoard } from './IntakeBoard.tsx';
import { IntakeTable } from './IntakeTable.tsx';
import type { useIntakesAddress } from './use-intakes-address.ts';

type Props = ReturnType<typeof useIntakesAddress> & {
  list: { data: IntakePage | null; failure: Failure | null; status: string; refresh: () => void };
  now: Date;
  onOpen: (id: string) => void;
  onAdd: () => void;
};

const EMPTY = { open: 'No open intakes', closed: 'No closed intakes', spam: 'No spam' };

/** The intakes of a tab, or why there are none. */
export function ShownIntakes(props: Props) {
  const { tab, owner, search, isList, openId, list, now, onOpen, onAdd, change } = props;
  const { data, failure, status, refresh } = list;
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  if (!data)
    return failure ? (
      <ErrorState
        title="Couldn’t load the intakes"
        detail={failure.message}
        busy={status === 'loading'}
        onRetry={refresh}
      />
    ) : (
      <Loading isBoard={tab === 'open' && !isList} />
    );
  const { intakes, total } = data;
  const isNarrowed = search !== '' || owner !== '';
  if (intakes.length === 0)
    return isNarrowed ? (
      <EmptyState
        icon={Inbox}
        title="No intake matches"
        action={<Button onClick={() => change({ search: null, owner: null })}>Clear search</Button>}
      />
    ) : (
      <EmptyState
        icon={Inbox}
        title={EMPTY[tab]}
        action={
          tab === 'open' && (
            <span className="flex flex-wrap justify-center gap-2">
              <Button onClick={onAdd}>New Intake</Button>
              {isAdmin && <Button onClick={() => change({ view: 'forms' })}>Set up a form</Button>}
            </span>
          )
        }
      />
    );
  const shown = { intakes, now, openId, onOpen };
  return (
    <>
      {total > intakes.length && (
        <p className="mb-2 text-note text-ink-2">
          {`The soonest ${intakes.length} of ${total.toLocaleString('en-US')}.`}
        </p>
      )}
      {tab === 'open' && !isList ? (
        <IntakeBoard {...shown} counts={isNarrowed ? undefined : data.counts} />
      ) : (
        <IntakeTable {...shown} />
      )}
    </>
  );
}

function Loading({ isBoard }: { isBoard: boolean }) {
  return (
    <div className={isBoard ? 'flex gap-3' : 'space-y-3'}>
      {[0, 1, 2, 3].map((index) => (
        <Skeleton key={index} className={isBoard ? 'h-64 w-56 flex-none' : 'h-12 w-full'} />
      ))}
    </div>
  );
}
