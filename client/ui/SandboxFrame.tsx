import { frameUrls } from '@matterdesk/contract/frames.ts';
import { type SyntheticEvent, useState } from 'react';
import { ErrorState } from './ErrorState.tsx';

interface SandboxFrameProps {
  /** What a screen reader calls it. */
  title: string;
  /** Images of the network may be loaded. Each value has a frame of its own: see `key`. */
  allowRemoteImages?: boolean;
  /** Fills the empty page. */
  onReady: (page: Document, frame: HTMLIFrameElement) => void;
  className?: string;
}

/** A frame that runs no script, for a stranger's HTML (docs/decisions/0012). */
export function SandboxFrame(props: SandboxFrameProps) {
  const { title, allowRemoteImages = false, onReady, className } = props;
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  const handleLoad = ({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>) => {
    const page = frame.contentDocument;
    // What stands there instead of our page, such as the browser's own word of a lost line.
    if (page?.title !== 'Content') {
      setHasFailed(true);
      return;
    }
    passKeys(page, frame);
    onReady(page, frame);
  };
  if (hasFailed)
    return (
      <ErrorState
        title="Couldn’t show this"
        onRetry={() => {
          setHasFailed(false);
          setAttempt(attempt + 1);
        }}
      />
    );
  return (
    <iframe
      key={`${attempt} ${allowRemoteImages}`}
      title={title}
      src={allowRemoteImages ? frameUrls.remoteImages : frameUrls.closed}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={handleLoad}
      className={className}
    />
  );
}

/** Escape and the product's shortcuts work from inside of it too. */
function passKeys(page: Document, frame: HTMLIFrameElement) {
  page.addEventListener('keydown', (event) => {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
    const copy = { key, code, ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true };
    if (!frame.dispatchEvent(new KeyboardEvent('keydown', copy))) event.preventDefault();
  });
}
