import FileX from 'lucide-react/icons/file-x';
import { lazy, Suspense, useState } from 'react';
import { buttonClass } from '../../../ui/button-class.ts';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { MOST_SHOWN, viewerOf } from '../rules.ts';
import { ImageView } from './ImageView.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import { PlainTextView } from './PlainTextView.tsx';
import { TextView } from './TextView.tsx';
import type { ViewerProps } from '../rules.shown.ts';

const MailView = lazy(async () => ({ default: (await import('./MailView.tsx')).MailView }));

const PdfView = lazy(async () => ({ default: (await import('./PdfView.tsx')).PdfView }));
const WordView = lazy(async () => ({ default: (await import('./WordView.tsx')).WordView }));

const VIEWERS = {
  word: WordView,
  pdf: PdfView,
  image: ImageView,
  mail: MailView,
  text: PlainTextView,
};
const MODES = { document: 'Document', text: 'Text' } as const;
const WITHOUT_TEXT = {
  training: 'Its text appears here after training.',
  trained: '',
  'not trained': 'Train AI to read its text here, or download it to open it.',
  error: 'Couldn’t read its text. Download it to open it.',
};
type Mode = keyof typeof MODES;

/** A file in the viewer of its kind, or its extracted text. */
export function Viewer({ shown, detail }: ViewerProps) {
  const kind = viewerOf(detail);
  const isTrained = detail.training.status === 'trained';
  // The offsets of a citation refer to the extracted text.
  const isText = shown.passage !== undefined && (kind === 'text' || kind === 'mail');
  const [mode, setMode] = useState<Mode>(isTrained && isText ? 'text' : 'document');
  if (kind === 'none' || kind === 'large')
    return isTrained ? (
      <TextView shown={shown} detail={detail} />
    ) : (
      <EmptyState icon={FileX} title="No preview for this file">
        {kind === 'large'
          ? `It is larger than ${sizeInWords(MOST_SHOWN)}. Download it to open it.`
          : WITHOUT_TEXT[detail.training.status]}
      </EmptyState>
    );
  const Chosen = mode === 'text' && isTrained ? TextView : VIEWERS[kind];
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Chosen
        shown={shown}
        detail={detail}
        modes={isTrained && <ModeSwitch mode={mode} onChange={setMode} />}
      />
    </Suspense>
  );
}

function ModeSwitch({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  return (
    <div role="group" aria-label="Show" className="flex">
      {Object.entries(MODES).map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={mode === value}
          onClick={() => onChange(value as Mode)}
          className={cx(
            buttonClass({ size: 'small' }),
            'first:rounded-r-none last:-ml-px last:rounded-l-none aria-pressed:z-10 aria-pressed:border-accent aria-pressed:text-accent-ink',
          )}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
