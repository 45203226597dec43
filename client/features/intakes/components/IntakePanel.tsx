import type { IntakeDetail } from '@matterdesk/contract/intakes.ts';
import Lock from 'lucide-react/icons/lock';
import X from 'lucide-react/icons/x';
import type { Failure } from '../../../core/entries.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { stageNames } from '../rules.ts';
import { IntakeActivity } from './IntakeActivity.tsx';
import { IntakeFacts } from './IntakeFacts.tsx';
import { IntakeFiles } from './IntakeFiles.tsx';
import { IntakeFoot, type IntakeParts } from './IntakeFoot.tsx';
import { IntakeMenu } from './IntakeMenu.tsx';
import { IntakeNames } from './IntakeNames.tsx';
import { ResponseBar } from './ResponseBar.tsx';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { intakeOf } from '../slice.ts';

interface IntakePanelProps {
  id: string;
  now: Date;
  parts: IntakeParts;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** An intake beside its board: how long it waits, the story, names and conflicts, activity, and how it ends. */
export function IntakePanel({ id, onClose, ...rest }: IntakePanelProps) {
  const { data, status, failure, refresh } = useResource(intakeOf, id);
  useDocumentKey(({ key, target, defaultPrevented }) => {
    const isInDialog = target instanceof Element && target.closest('[role=dialog]') !== null;
    if (key === 'Escape' && !defaultPrevented && !isInDialog) onClose();
  });
  return (
    <aside
      aria-label="Intake"
      className="flex flex-col border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-30 lg:w-[27.25rem] lg:flex-none lg:border-l"
    >
      {data ? (
        <Content key={id} detail={data} onClose={onClose} {...rest} />
      ) : (
        <>
          <IconButton
            label="Close"
            icon={X}
            variant="quiet"
            size="small"
            className="mt-5 mr-5 ml-auto"
            onClick={onClose}
          />
          {failure ? (
            <Missing failure={failure} busy={status === 'loading'} onRetry={refresh} />
          ) : (
            <div className="space-y-4 p-6">
              <Skeleton className="h-7 w-2/3" />
              <Skeleton className="h-20 w-full" />
              <Skeleton className="h-36 w-full" />
            </div>
          )}
        </>
      )}
    </aside>
  );
}

interface MissingProps {
  failure: Failure;
  busy: boolean;
  onRetry: () => void;
}

function Missing({ failure: { status, message }, busy, onRetry }: MissingProps) {
  if (status === 404)
    return (
      <EmptyState icon={Lock} title="This intake is not here">
        It was removed, or you no longer have access to it.
      </EmptyState>
    );
  return (
    <ErrorState title="Couldn’t load the intake" detail={message} busy={busy} onRetry={onRetry} />
  );
}

type ContentProps = Omit<IntakePanelProps, 'id'> & { detail: IntakeDetail };

function Content({ detail, now, parts, onOpen, onClose }: ContentProps) {
  const { intake, answers, activity, files, duplicates } = detail;
  const own = useAppSelector(({ user }) => user.current?.id);
  const { owner, form } = intake;
  const origin = form ? ` · web form “${form.name}”` : '';
  return (
    <>
      <div className="min-h-0 grow overflow-y-auto">
        <header className="px-6 pt-5 pb-4">
          <div className="flex items-center gap-2">
            <p className="min-w-0 truncate text-note text-ink-2">{`Intake ${intake.number}${origin}`}</p>
            <span className="-mr-1.5 ml-auto flex">
              <IntakeMenu intake={intake} accessDialog={parts.accessDialog} />
              <IconButton label="Close" icon={X} variant="quiet" size="small" onClick={onClose} />
            </span>
          </div>
          <h2 className="font-serif text-subtitle font-strong wrap-anywhere">{intake.name}</h2>
          <div className="mt-1.5 flex flex-wrap items-center gap-2">
            <Chip tone="accent">{stageNames[intake.stage]}</Chip>
            <Chip>{intake.type ?? 'Type unknown'}</Chip>
            {intake.isSpam && <Chip tone="amber">Spam</Chip>}
            {owner && (
              <span className="ml-auto flex items-center gap-1.5 text-sm">
                <Avatar name={`${owner.firstName} ${owner.lastName}`} />
                {owner.id === own ? 'You own this' : `${owner.firstName} ${owner.lastName}`}
              </span>
            )}
          </div>
        </header>
        <ResponseBar intake={intake} now={now} />
        <IntakeFacts intake={intake} answers={answers} now={now} />
        <IntakeNames intake={intake} duplicates={duplicates} onOpen={onOpen} />
        <IntakeFiles intake={intake} files={files} />
        <IntakeActivity activity={activity} now={now} />
      </div>
      <IntakeFoot intake={intake} parts={parts} />
    </>
  );
}
