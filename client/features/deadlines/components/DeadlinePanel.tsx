import type { DeadlineWithHistory } from '@matterdesk/contract/deadlines.ts';
import Flag from 'lucide-react/icons/flag';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { useFirm } from '../../../core/use-firm.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { nextOf } from '../rules.next.ts';
import { datedBy, nameOf, type Reader, sourceOf, waitsForDate } from '../rules.ts';
import { CountLines } from './CountLines.tsx';
import { DeadlineActions } from './DeadlineActions.tsx';
import { DeadlineFacts } from './DeadlineFacts.tsx';
import { DeadlineHistory } from './DeadlineHistory.tsx';
import { PanelPart } from './PanelPart.tsx';
import { ExportButton } from './ExportButton.tsx';
import { PendingChange } from './PendingChange.tsx';
import { VerifyForm } from './VerifyForm.tsx';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { courtList, deadlineOf } from '../slice.ts';

interface DeadlinePanelProps {
  id: string;
  reader: Reader;
  today: string;
  onClose: () => void;
}

/** A deadline beside its list: dates and people, what waits for the reader, the count, and history. */
export function DeadlinePanel({ id, reader, today, onClose }: DeadlinePanelProps) {
  const { data, status, failure, refresh } = useResource(deadlineOf, id);
  useDocumentKey(({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) onClose();
  });
  return (
    <aside
      aria-label="Deadline"
      className="overflow-y-auto border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-30 lg:w-[29rem] lg:flex-none lg:border-l"
    >
      <div className="flex items-center gap-2 px-6 pt-5">
        {data && <Chips deadline={data} />}
        <span className="ml-auto" />
        {data?.case && <ExportButton caseId={data.case.id} />}
        <IconButton
          label="Close"
          icon={X}
          variant="quiet"
          size="small"
          className="-mr-1.5"
          onClick={onClose}
        />
      </div>
      {data ? (
        // The date is hidden again for each deadline.
        <Content key={id} deadline={data} reader={reader} today={today} />
      ) : failure ? (
        <ErrorState
          title="Couldn’t load the deadline"
          detail={failure.message}
          busy={status === 'loading'}
          onRetry={refresh}
        />
      ) : (
        <div className="space-y-4 p-6">
          <Skeleton className="h-7 w-2/3" />
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-28 w-full" />
        </div>
      )}
    </aside>
  );
}

function Chips({ deadline }: { deadline: DeadlineWithHistory }) {
  const { hard, status, verified } = deadline;
  return (
    <>
      {hard ? (
        <span className="inline-flex h-[22px] items-center gap-1.5 rounded-full bg-ink px-2 text-xs font-medium text-paper">
          <Flag className="size-3.5" />
          Hard deadline
        </span>
      ) : (
        <Chip icon={Flag}>Soft deadline</Chip>
      )}
      {status === 'open' && hard && (
        <Chip tone={verified ? 'green' : 'amber'}>{verified ? 'Verified' : 'Not verified'}</Chip>
      )}
      {status !== 'open' && <Chip>{status === 'done' ? 'Done' : 'Vacated'}</Chip>}
    </>
  );
}

function Content(props: { deadline: DeadlineWithHistory; reader: Reader; today: string }) {
  const { deadline, reader, today } = props;
  const author = datedBy(deadline);
  const isUnverified = deadline.hard && deadline.status === 'open' && !deadline.verified;
  const mayVerify = isUnverified && author?.id !== reader.id;
  const [isShown, setIsShown] = useState(false);
  const isAsked = waitsForDate(deadline, reader) || (!deadline.second && reader.editsCalendar);
  const isHidden = mayVerify && isAsked && !isShown;
  const { data: courts } = useResource(courtList, deadline.basis ? 'all' : null);
  const { data: firm } = useFirm();
  const verifier = deadline.second ? nameOf(deadline.second) : 'a second person';
  return (
    <>
      <div className="px-6 pt-3 pb-5">
        <h2 className="font-serif text-subtitle font-strong wrap-anywhere">{deadline.title}</h2>
        <p className="text-ink-2">{deadline.case?.caseName ?? 'The firm'}</p>
        <DeadlineFacts
          deadline={deadline}
          today={today}
          isHidden={isHidden}
          onShow={() => setIsShown(true)}
        />
        {deadline.note !== '' && (
          <p className="mt-3 whitespace-pre-line text-ink-2">{deadline.note}</p>
        )}
        <DeadlineActions deadline={deadline} reader={reader} />
      </div>
      {mayVerify && <VerifyForm deadline={deadline} author={author} />}
      {isUnverified && !mayVerify && (
        <PanelPart title="Verification">
          <p className="text-ink-2">Waiting for {verifier}</p>
        </PanelPart>
      )}
      {deadline.pending && (
        <PendingChange deadline={deadline} pending={deadline.pending} reader={reader} />
      )}
      {deadline.basis && !isHidden && (
        <CountLines
          lines={deadline.basis.lines}
          date={deadline.date}
          source={sourceOf(deadline.basis, courts?.rules)}
        />
      )}
      <DeadlineHistory
        history={deadline.history}
        reader={reader}
        isHidden={isHidden}
        next={nextOf(deadline, { today, morning: firm?.morning ?? '07:30' })}
      />
    </>
  );
}
