import AlarmClock from 'lucide-react/icons/alarm-clock';
import BellRing from 'lucide-react/icons/bell-ring';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import ListChecks from 'lucide-react/icons/list-checks';
import Lock from 'lucide-react/icons/lock';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { LucideIcon } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { Notice, NoticeType } from '@matterdesk/contract/notices.ts';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { changeNotice } from '../api.ts';
import { addressOf, mailNote, noteOf } from '../rules.ts';

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
};

/** A notice: opening it marks it as seen. */
export function NoticeRow({ notice, onFollow }: { notice: Notice; onFollow: () => void }) {
  const navigate = useNavigate();
  const Icon = icons[notice.type];
  const isNew = notice.seenAt === null;
  const address = addressOf(notice);
  const mail = mailNote(notice);
  const today = useToday();
  const open = () => {
    if (isNew) void changeNotice(notice.id, { seen: true });
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
            onClick={() => void changeNotice(notice.id, { snooze: HOUR })}
          />
          <IconButton
            size="small"
            variant="quiet"
            icon={Check}
            label={`Mark ${notice.title} as seen`}
            title="Mark as seen"
            onClick={() => void changeNotice(notice.id, { seen: true })}
          />
        </span>
      )}
    </li>
  );
}
