import FileX from 'lucide-react/icons/file-x';
import {
  type ComponentType,
  useState,
  useRef,
  useMemo,
  type ReactNode,
  type RefObject,
  useEffect,
} from 'react';
import { lazyNamed } from '../../../core/chunks.ts';
import { useResource } from '../../../core/use-resource.ts';
import { buttonClass, Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Select } from '../../../ui/Select.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { fileReader } from '../api.ts';
import { useFirstFocus } from '../hooks/use-first-focus.ts';
import { contentOf, type ViewerProps, fileOf, type PageText, type Span } from '../rules.preview.ts';
import {
  MAX_WHOLE_BYTES,
  viewerOf,
  decodeText,
  MAX_TEXT_BYTES,
  cutAround,
  markOnPage,
} from '../rules.ts';
import { PageSkeleton } from './PageSkeleton.tsx';
import { usePageText, PassageNote } from './PassageNote.tsx';
import { PageControl, ViewerBar } from './ViewerBar.tsx';

const MailView = lazyNamed(() => import('./MailView.tsx'), 'MailView');

const PdfView = lazyNamed(() => import('./PdfView.tsx'), 'PdfView');
const WordView = lazyNamed(() => import('./WordView.tsx'), 'WordView');

/** Some load when they are first shown. */
type KindViewer = ComponentType<ViewerProps & { fallback?: ReactNode }>;

const VIEWERS = {
  word: WordView,
  pdf: PdfView,
  image: ImageView,
  mail: MailView,
  text: PlainTextView,
} satisfies Record<string, KindViewer>;
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
          ? `It is larger than ${sizeInWords(MAX_WHOLE_BYTES)}. Download it to open it.`
          : WITHOUT_TEXT[detail.training.status]}
      </EmptyState>
    );
  const Chosen: KindViewer = mode === 'text' && isTrained ? TextView : VIEWERS[kind];
  return (
    <Chosen
      shown={shown}
      detail={detail}
      modes={isTrained && <ModeSwitch mode={mode} onChange={setMode} />}
      fallback={<PageSkeleton />}
    />
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

/** The text that training extracted from a file, page by page. */
function TextView({ shown, modes }: ViewerProps) {
  const [page, setPage] = useState(shown.page ?? 1);
  const { text, failure, retry } = usePageText(shown, page);
  return (
    <>
      <ViewerBar modes={modes}>
        <PageControl page={page} pages={text?.pages ?? page} onChange={setPage} />
      </ViewerBar>
      <TextPage
        text={text}
        failure={failure}
        onRetry={retry}
        passage={shown.passage}
        sentence={shown.sentence}
      />
    </>
  );
}

/** An image, fitted to the panel or in its own size, with the cited text below. */
function ImageView({ shown, modes }: ViewerProps) {
  const [isFitted, setIsFitted] = useState(true);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(box);
  if (state === 'failed')
    return <ErrorState title="Couldn’t load the image" onRetry={() => setState('loading')} />;
  return (
    <>
      <ViewerBar modes={modes}>
        <Button size="small" onClick={() => setIsFitted(!isFitted)}>
          {isFitted ? 'Actual size' : 'Fit'}
        </Button>
      </ViewerBar>
      <div
        ref={box}
        role="region"
        aria-label="Picture"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a large picture is scrolled by keys
        tabIndex={0}
        aria-busy={state === 'loading'}
        className="grid min-h-0 flex-1 overflow-auto p-4 -outline-offset-2 sm:p-6"
      >
        <img
          src={contentOf(shown)}
          alt={shown.name}
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
          className={cx('m-auto bg-white', isFitted ? 'max-h-full max-w-full' : 'max-w-none')}
        />
      </div>
      {shown.passage && <PassageNote shown={shown} />}
    </>
  );
}

const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16' },
  { value: 'utf-16be', label: 'UTF-16, big-endian' },
  { value: 'windows-1252', label: 'Western European' },
  { value: 'windows-1250', label: 'Central European' },
  { value: 'windows-1251', label: 'Cyrillic (Windows)' },
  { value: 'koi8-r', label: 'Cyrillic (KOI8-R)' },
  { value: 'windows-1253', label: 'Greek' },
  { value: 'windows-1254', label: 'Turkish' },
  { value: 'windows-1255', label: 'Hebrew' },
  { value: 'windows-1256', label: 'Arabic' },
  { value: 'shift_jis', label: 'Japanese (Shift JIS)' },
  { value: 'euc-jp', label: 'Japanese (EUC)' },
  { value: 'iso-2022-jp', label: 'Japanese (ISO 2022)' },
  { value: 'gb18030', label: 'Chinese, simplified' },
  { value: 'big5', label: 'Chinese, traditional' },
  { value: 'euc-kr', label: 'Korean' },
];

const reader = fileReader(readStart);

function PlainTextView({ shown, modes }: ViewerProps) {
  const { data: made, failure, refresh } = useResource(reader, fileOf(shown));
  const [encoding, setEncoding] = useState('');
  const text = useMemo(() => made && decodeText(made.bytes, encoding), [made, encoding]);
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(box, text !== null);
  return (
    <>
      <ViewerBar modes={modes}>
        {made?.isCut && <p className="text-sm text-ink-2">Only the beginning is shown.</p>}
        <Select
          aria-label="Encoding"
          placeholder="Encoding: automatic"
          options={ENCODINGS}
          value={encoding}
          onChange={(event) => setEncoding(event.target.value)}
          className="w-52"
        />
      </ViewerBar>
      {failure ? (
        <ErrorState title="Couldn’t load the file" detail={failure.message} onRetry={refresh} />
      ) : text !== null ? (
        <div
          ref={box}
          role="region"
          aria-label="Text of the file"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keys
          tabIndex={0}
          className="min-h-0 flex-1 overflow-auto p-4 -outline-offset-2 sm:p-6"
        >
          <pre className="mx-auto min-h-full max-w-[44rem] border border-line bg-surface px-6 py-8 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
            {text === '' ? 'This file is empty.' : text}
          </pre>
        </div>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

async function readStart(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, MAX_TEXT_BYTES).arrayBuffer());
  return { bytes, isCut: file.size > MAX_TEXT_BYTES };
}

interface TextPageProps {
  text: PageText | null;
  failure: string | null;
  onRetry: () => void;
  passage: Span | undefined;
  /** The key sentence of the passage. */
  sentence: Span | undefined;
}

/** The text of a page, with the passage marked and in view. */
function TextPage({ text, failure, onRetry, passage, sentence }: TextPageProps) {
  const mark = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(box);
  const page = text?.page;
  const placed = useRef<number>(undefined);
  useEffect(() => {
    // Each page starts at its passage or its top.
    if (placed.current === page) return;
    placed.current = page;
    if (mark.current) mark.current.scrollIntoView({ block: 'center' });
    else box.current?.scrollTo(0, 0);
  }, [page]);
  if (failure !== null)
    return <ErrorState title="Couldn’t load the page" detail={failure} onRetry={onRetry} />;
  return (
    <div
      ref={box}
      role="region"
      aria-label="Text of the page"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long page is scrolled by keys
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto p-4 -outline-offset-2 sm:p-6"
    >
      {text ? (
        <p className="mx-auto min-h-full max-w-[38rem] border border-line bg-surface px-6 py-8 font-serif text-heading/[1.5rem] whitespace-pre-wrap wrap-anywhere sm:px-10">
          <Marked text={text} passage={passage} sentence={sentence} mark={mark} />
          {text.text.trim() === '' && 'No text on this page.'}
        </p>
      ) : (
        <div aria-busy="true" className="mx-auto grid max-w-[38rem] gap-3 bg-surface p-10">
          {['w-1/2', 'w-full', 'w-11/12', 'w-full', 'w-3/4'].map((width) => (
            <Skeleton key={width} className={`h-4 ${width}`} />
          ))}
        </div>
      )}
    </div>
  );
}

interface MarkedProps extends Pick<TextPageProps, 'passage' | 'sentence'> {
  text: PageText;
  mark: RefObject<HTMLElement | null>;
}

/** Underlines the passage, and marks its key sentence, or all of it without one. */
function Marked({ text, passage, sentence, mark }: MarkedProps) {
  const outer = passage ? markOnPage(passage, text) : null;
  const { before, marked, after } = cutAround(text.text, outer);
  if (!outer) return before;
  const place = sentence ? markOnPage(sentence, text) : outer;
  const inner = place && { start: place.start - outer.start, end: place.end - outer.start };
  const highlighted = cutAround(marked, inner);
  return (
    <>
      {before}
      <span className="underline decoration-mark decoration-2 underline-offset-4">
        {highlighted.before}
        <mark ref={mark}>{highlighted.marked}</mark>
        {highlighted.after}
      </span>
      {after}
    </>
  );
}
