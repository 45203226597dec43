import type { Answer, Citation } from '@matterdesk/contract/ai.ts';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import Copy from 'lucide-react/icons/copy';
import SearchX from 'lucide-react/icons/search-x';
import ShieldCheck from 'lucide-react/icons/shield-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { toast } from '../../../ui/toast-store.ts';
import { copyText } from '../rules.ts';
import { AnswerText } from './AnswerText.tsx';
import { FoldedPassages } from './FoldedPassages.tsx';
import { Passage } from './Passage.tsx';

const BANDS = {
  answer: { words: 'In this document', icon: ShieldCheck, tone: 'text-green' },
  possible: {
    words: 'Possibly relevant. Check the source.',
    icon: CircleHelp,
    tone: 'text-amber',
  },
  none: { words: 'No answer found', icon: SearchX, tone: 'text-ink-2' },
} as const;

interface AnswerViewProps {
  answer: Answer;
  isNamed: boolean;
  onCitation: (citation: Citation) => void;
}

/** An answer with its sources. Text from a model or a file is never rendered as markup. */
export function AnswerView({ answer, isNamed, onCitation }: AnswerViewProps) {
  const { icon: Icon, tone } = BANDS[answer.confidence];
  const isQuotation = answer.mode === 'extractive' && answer.found;
  const [first] = answer.citations;
  const isNear = answer.mode === 'extractive' && !answer.found;
  const folded = isQuotation || isNear ? answer.citations.slice(1) : answer.citations;
  const said = saying(answer, isNamed);
  return (
    <div>
      <div className="rounded-pop rounded-bl-[3px] bg-sunken px-3 py-2.5">
        <p className={cx('mb-1.5 flex items-center gap-1.5 text-note font-medium', tone)}>
          <Icon className="size-3.5" /> <span className="min-w-0 wrap-anywhere">{said}</span>
        </p>
        {answer.notice !== null && (
          <p className="mb-2 flex gap-1.5 text-note text-amber">
            <TriangleAlert className="size-3.5" /> {answer.notice}
          </p>
        )}
        {isQuotation && first ? (
          <Passage citation={first} isNamed={isNamed} onCitation={onCitation} />
        ) : (
          <AnswerText answer={answer} isNamed={isNamed} onCitation={onCitation} />
        )}
        {isNear && first && (
          <div className="mt-2.5 border-t border-line pt-2">
            <p className="mb-1 text-note text-ink-2">The nearest sentence</p>
            <Passage citation={first} isNamed={isNamed} onCitation={onCitation} />
          </div>
        )}
      </div>
      <div className="mt-1 flex flex-wrap items-start justify-between gap-x-2">
        <FoldedPassages citations={folded} isNamed={isNamed} onCitation={onCitation} />
        {answer.citations.length > 0 && (
          <Button
            variant="quiet"
            size="small"
            icon={Copy}
            className="ml-auto"
            onClick={() => void copy(answer)}
          >
            Copy with citation
          </Button>
        )}
      </div>
    </div>
  );
}

/** The answer's confidence in words. */
function saying(answer: Answer, isNamed: boolean): string {
  const { confidence, mode, unsupported, citations } = answer;
  const { words } = BANDS[confidence];
  const [first] = citations;
  if (unsupported.length > 0)
    return first ? 'Check this: some sentences have no source' : 'Check this: no sources found';
  if (confidence !== 'answer') return words;
  if (mode === 'generated' || !first) return 'Every sentence has a source';
  return `${isNamed ? `In ${first.file_name}` : words}, page ${first.page}`;
}

async function copy(answer: Answer) {
  try {
    await navigator.clipboard.writeText(copyText(answer));
    toast.success('Copied with citation');
  } catch {
    toast.error('The browser blocked copying');
  }
}
