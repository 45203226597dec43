import { contentUrl } from '@matterdesk/contract/files.ts';
import { useRef, useState } from 'react';
import { cx } from '../../../ui/cx.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { PassageNote } from './PassageNote.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { ViewerBar } from './ViewerBar.tsx';
import type { ViewerProps } from '../rules.shown.ts';

/** An image, fitted to the panel or in its own size, with the cited text below. */
export function ImageView({ shown, modes }: ViewerProps) {
  const [isFitted, setIsFitted] = useState(true);
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const box = useRef<HTMLDivElement>(null);
  useFirstFocus(box);
  if (state === 'failed')
    return <ErrorState title="Couldn’t show the image" onRetry={() => setState('loading')} />;
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
          src={contentUrl(shown.caseId, shown.folder, shown.name)}
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
