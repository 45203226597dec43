import type { Failure } from '../../../core/entries.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { NoticePage } from '../slice.ts';
import { NoticeRow } from './NoticeRow.tsx';

interface NoticeListProps {
  data: NoticePage | null;
  status: 'idle' | 'loading' | 'growing';
  failure: Failure | null;
  cursor: string | null;
  refresh: () => void;
  grow: () => void;
  onFollow: () => void;
}

/** The notices in the bell's popup, newest first. */
export function NoticeList(props: NoticeListProps) {
  const { data, status, failure, cursor } = props;
  if (!data && failure)
    return (
      <ErrorState
        title="Couldn’t load your notices"
        detail={failure.message}
        busy={status === 'loading'}
        onRetry={props.refresh}
      />
    );
  if (!data) return <p className="animate-delayed px-4 py-6 text-ink-3">Loading…</p>;
  return (
    <div className="max-h-[min(32rem,70dvh)] overflow-y-auto overscroll-contain">
      <h2 className="border-b border-line px-4 py-2.5 font-semibold">Notices</h2>
      {data.notices.length === 0 && (
        <p className="px-4 py-6 text-ink-2">
          Reminders of events and warnings of deadlines appear here, and what others change about
          your account and who sees your matters.
        </p>
      )}
      <ul>
        {data.notices.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} onFollow={props.onFollow} />
        ))}
      </ul>
      {cursor !== null && (
        <div className="p-2 text-center">
          <Button size="small" variant="quiet" busy={status === 'growing'} onClick={props.grow}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
