import { type DragEvent, type KeyboardEvent, lazy, Suspense, useId, useState } from 'react';
import type { CaseField } from '../../../core/case-field.ts';
import { cx } from '../../../ui/cx.ts';
import type { Composing } from '../rules.writing.ts';
import { ComposeAttachments } from './ComposeAttachments.tsx';
import { ComposeFields } from './ComposeFields.tsx';
import { ComposeFooter } from './ComposeFooter.tsx';
import { ComposeHead } from './ComposeHead.tsx';
import { useAttaching } from './use-attaching.ts';
import { useWritingFocus } from './use-writing-focus.ts';
import type { Composer } from './use-composer.ts';

const ComposeQuestion = lazy(async () => ({
  default: (await import('./ComposeQuestion.tsx')).ComposeQuestion,
}));
const LibraryPicker = lazy(async () => ({
  default: (await import('./LibraryPicker.tsx')).LibraryPicker,
}));

interface ComposePanelProps {
  composer: Composer;
  caseField: CaseField;
  /** Each mail needs its own `key`. */
  composing: Composing;
  /** Whether it stands below the mail that it answers. */
  isBelow: boolean;
}

const FLOATING =
  'fixed right-4 bottom-4 z-30 w-96 max-w-[calc(100vw-2rem)] rounded-pop shadow-float sm:right-6';
const BELOW = 'z-30 mt-6 min-h-[26rem] max-w-[41rem] rounded-card max-sm:mt-0';
/** On a phone. */
const FILLING =
  'max-sm:fixed max-sm:inset-0 max-sm:in-[body:has(>.sandbox)]:top-6 max-sm:h-auto max-sm:w-auto max-sm:max-w-none max-sm:rounded-none max-sm:border-0';

/** The mail being written, at the lower right or below the mail that it answers; the page behind it stays usable. */
export function ComposePanel({ composer, composing, caseField, isBelow }: ComposePanelProps) {
  const { written, isSmall, matter } = composing;
  const isTouched =
    composing.draftId !== null || JSON.stringify(written) !== JSON.stringify(composing.start);
  const titleId = useId();
  const [isPicking, setIsPicking] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const { to, message } = useWritingFocus({
    isSmall,
    isBelow,
    isToEmpty: written.to === '',
    faults: composer.faults,
  });
  const attaching = useAttaching(written.attachments, composer.write);
  const send = () => {
    if (!attaching.isBusy) void composer.send();
  };
  const close = () => (attaching.isBusy ? composer.ask('close') : void composer.close());
  const handleKey = (event: KeyboardEvent) => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.defaultPrevented || (!isSend && event.key !== 'Escape')) return;
    // React also bubbles keys from dialogs above the panel, which are outside of it in the document.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSend) send();
    else close();
  };
  const handleDrop = (event: DragEvent) => {
    setIsOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    attaching.add([...event.dataTransfer.files]);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles the keys of its content, and dropped files
    <div
      role="dialog"
      aria-labelledby={titleId}
      data-compose=""
      onKeyDown={handleKey}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
      className={cx(
        'flex animate-appear flex-col overflow-hidden border bg-surface',
        isOver ? 'border-accent' : 'border-line-strong',
        isBelow ? BELOW : FLOATING,
        !isSmall && FILLING,
        isSmall ? 'max-sm:bottom-[4.5rem]' : !isBelow && 'h-[min(40rem,calc(100dvh-3rem))]',
      )}
    >
      <ComposeHead
        titleId={titleId}
        title={written.subject.trim() || 'New mail'}
        isSmall={isSmall}
        onMinimize={() => composer.minimize(!isSmall)}
        onClose={close}
      />
      <form
        noValidate
        hidden={isSmall}
        className={cx('min-h-0 grow flex-col', !isSmall && 'flex')}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <ComposeFields
          written={written}
          faults={composer.faults}
          onWrite={composer.write}
          to={to}
          message={message}
        />
        <ComposeAttachments
          attachments={written.attachments}
          pending={attaching.pending}
          isForward={written.forwardOf !== undefined}
          onRemoveOriginal={() => composer.write({ forwardOf: undefined })}
          onRemove={attaching.remove}
          onCancel={attaching.cancel}
        />
        <ComposeFooter
          isSending={composer.isSending}
          isAttaching={attaching.isBusy}
          keeping={composer.keeping}
          savedAt={composing.savedAt}
          onFiles={attaching.add}
          onLibrary={() => setIsPicking(true)}
          onDiscard={() => (isTouched ? void composer.discard() : composer.leave())}
        />
      </form>
      <Suspense>
        {composer.question && <ComposeQuestion composer={composer} question={composer.question} />}
        {isPicking && (
          <LibraryPicker
            matter={matter}
            caseField={caseField}
            onClose={() => setIsPicking(false)}
            onPick={attaching.addKept}
          />
        )}
      </Suspense>
    </div>
  );
}
