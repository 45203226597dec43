import type { LucideIcon } from 'lucide-react';
import AlarmClock from 'lucide-react/icons/alarm-clock';
import AtSign from 'lucide-react/icons/at-sign';
import BellIcon from 'lucide-react/icons/bell';
import BellRing from 'lucide-react/icons/bell-ring';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import ListChecks from 'lucide-react/icons/list-checks';
import Lock from 'lucide-react/icons/lock';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Notice, noticeRoutes, type NoticeType } from '@matterdesk/contract/notices.ts';
import { mutation } from '../../../core/mutation.ts';
import { Pending } from '../../../core/Pending.tsx';
import type { Failure } from '../../../core/resource.ts';
import { store } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { useAnchorName, Popup } from '../../../ui/Popup.tsx';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { addressOf, mailNote, noteOf } from '../rules.ts';
import { noticeList, type NoticePage, noticesChanged } from '../slice.ts';

/** Marks a notice as seen, or snoozes it for a number of minutes. */
const changeNotice = mutation(noticeRoutes.changeNotice, 'Couldn’t update the notice', {
  done: () => store.dispatch(noticesChanged()),
});

/** Milliseconds during which several notices are combined into one fetch. */
const BATCH_MS = 120;
const MAX_COUNT = 99;

/** Opens the notices, and counts those that the user has not seen. */
export function Bell({ onFollow }: { onFollow?: () => void }) {
  const { data, status, failure, cursor, refresh, grow } = useResource(noticeList, 'all', {
    batchMs: BATCH_MS,
  });
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const anchorName = useAnchorName();
  const popupId = useId();
  const unseen = data?.unseen ?? 0;
  // The focus stays on the bell, or is lost with a button that disappears.
  useDocumentKey(({ key }) => {
    if (key === 'Escape') setIsOpen(false);
  }, isOpen);
  const close = (withFocus: boolean) => {
    if (withFocus) button.current?.querySelector('button')?.focus();
    setIsOpen(false);
  };
  return (
    <span ref={button} className="relative flex-none">
      <IconButton
        label={unseen > 0 ? `Notices, ${unseen} new` : 'Notices'}
        icon={BellIcon}
        variant="quiet"
        size="small"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? popupId : undefined}
        style={{ anchorName }}
        onClick={() => setIsOpen(!isOpen)}
      />
      {unseen > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute -top-1 -right-1.5 min-w-4 animate-appear rounded-full bg-accent px-1 text-center text-[0.625rem]/4 font-semibold text-on-accent tabular-nums"
        >
          {unseen > MAX_COUNT ? `${MAX_COUNT}+` : unseen}
        </span>
      )}
      {isOpen && (
        <Popup
          id={popupId}
          role="dialog"
          aria-label="Notices"
          anchor={button}
          anchorName={anchorName}
          onDismiss={(reason) => close(reason === 'escape')}
          className="w-[26rem] max-w-[calc(100vw-1rem)] max-sm:mx-2"
        >
          <NoticeList
            {...{ data, status, failure, cursor, refresh, grow }}
            onFollow={() => {
              close(false);
              onFollow?.();
            }}
          />
        </Popup>
      )}
    </span>
  );
}

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
function NoticeList(props: NoticeListProps) {
  const { data, status, cursor } = props;
  if (!data)
    return (
      <Pending of={props} what="your notices">
        <p className="animate-delayed px-4 py-6 text-ink-3">Loading…</p>
      </Pending>
    );
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

const HOUR = 60;
const icons: Record<NoticeType, LucideIcon> = {
  reminder: Clock,
  warning: AlarmClock,
  escalation: TriangleAlert,
  change: BellRing,
  proposal: BellRing,
  digest: ListChecks,
  access: Lock,
  account: ShieldAlert,
  mention: AtSign,
  exported: ShieldAlert,
};

/** A notice: opening it marks it as seen. */
function NoticeRow({ notice, onFollow }: { notice: Notice; onFollow: () => void }) {
  const navigate = useNavigate();
  const Icon = icons[notice.type];
  const isNew = notice.seenAt === null;
  const address = addressOf(notice);
  const mail = mailNote(notice);
  const today = useToday();
  const open = () => {
    if (isNew) void changeNotice({ params: { id: notice.id }, body: { seen: true } });
    if (address === undefined) return;
    onFollow();
    void navigate(address);
  };
  return (
    <li className="flex items-start gap-1 border-b border-line py-1 pr-2 pl-1 last:border-b-0">
      <button
        type="button"
        onClick={open}
        className="flex min-h-11 min-w-0 grow items-start gap-2.5 rounded-control px-3 py-1.5 text-left hover:bg-hover"
      >
        <Icon className={cx('mt-0.5 flex-none', isNew ? 'text-accent-ink' : 'text-ink-3')} />
        <span className="min-w-0">
          <span className={cx('block wrap-anywhere', isNew ? 'font-strong' : 'text-ink-2')}>
            {isNew && <span className="sr-only">New: </span>}
            {notice.title}
          </span>
          <span className="block text-note text-ink-2">{noteOf(notice, today)}</span>
          {mail !== undefined && <span className="block text-note text-ink-3">{mail}</span>}
        </span>
      </button>
      {isNew && (
        <span className="flex flex-none pt-1">
          <IconButton
            size="small"
            variant="quiet"
            icon={AlarmClock}
            label={`Remind me of ${notice.title} in an hour`}
            title="Remind me in an hour"
            onClick={() => void changeNotice({ params: { id: notice.id }, body: { snooze: HOUR } })}
          />
          <IconButton
            size="small"
            variant="quiet"
            icon={Check}
            label={`Mark ${notice.title} as seen`}
            title="Mark as seen"
            onClick={() => void changeNotice({ params: { id: notice.id }, body: { seen: true } })}
          />
        </span>
      )}
    </li>
  );
}
