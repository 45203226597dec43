import type { Session } from '@matterdesk/contract/devices.ts';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { endOtherSessions, endSession, listSessions } from '../api.access.ts';
import { deviceInWords, isPhone } from '../rules.devices.ts';
import { useRead } from '../../../core/use-read.ts';

/** The user's sessions, of which each other one can be ended. */
export function AccountDevices() {
  const { data, isFailed, refresh } = useRead(listSessions);
  const [ending, setEnding] = useState<string>();
  const end = (what: string, work: () => Promise<unknown>) => {
    setEnding(what);
    const done = () => {
      setEnding(undefined);
      refresh();
    };
    work().then(done, done);
  };
  if (isFailed && !data)
    return <ErrorState title="Couldn’t load the devices" busy={false} onRetry={refresh} />;
  if (!data) return <Skeleton className="h-11 w-full" />;
  return (
    <>
      <ul className="divide-y divide-line">
        {data.toSorted(currentFirst).map((session) => (
          <Device
            key={session.id}
            session={session}
            isEnding={ending === session.id}
            onEnd={() => end(session.id, () => endSession(session.id))}
          />
        ))}
      </ul>
      {data.length > 1 && (
        <Button
          className="mt-2"
          busy={ending === 'others'}
          onClick={() => end('others', endOtherSessions)}
        >
          End all other sessions
        </Button>
      )}
    </>
  );
}

function currentFirst(one: Session, other: Session): number {
  return Number(other.current) - Number(one.current);
}

interface DeviceProps {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}

function Device({ session, isEnding, onEnd }: DeviceProps) {
  const { agent, address, current, createdAt, lastSeenAt } = session;
  const Icon = isPhone(agent) ? Smartphone : Monitor;
  const day = (at: string) => formatDay(localDay(new Date(at)), 'short');
  const time = current ? `since ${day(createdAt)}` : `active ${day(lastSeenAt)}`;
  const name = deviceInWords(agent);
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <Icon className="flex-none" />
      <p className="min-w-0 grow">
        <span className="font-medium">{name}</span>{' '}
        <span className="text-note text-ink-2 tabular-nums">
          {[address, time].filter(Boolean).join(' · ')}
        </span>
      </p>
      {current ? (
        <Chip tone="accent">This device</Chip>
      ) : (
        <Button size="small" busy={isEnding} onClick={onEnd} aria-label={`End session of ${name}`}>
          End session
        </Button>
      )}
    </li>
  );
}
