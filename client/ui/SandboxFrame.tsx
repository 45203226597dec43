import { type SyntheticEvent, useState } from 'react';
import { frameUrls } from '@matterdesk/contract/frames.ts';
import { ErrorState } from './ErrorState.tsx';

interface SandboxFrameProps {
  /** Its accessible name. */
  title: string;
  /** Whether remote images may load. The page's policy differs, so each value gets its own frame. */
  allowRemoteImages?: boolean;
  /** Called with the empty page, to fill it. */
  onReady: (page: Document, frame: HTMLIFrameElement) => void;
  className?: string;
}

/** A frame that runs no script, for untrusted HTML (docs/decisions/0012). */
export function SandboxFrame(props: SandboxFrameProps) {
  const { title, allowRemoteImages = false, onReady, className } = props;
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  const handleLoad = ({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>) => {
    const page = frame.contentDocument;
    // Another page in place of ours, such as the browser's own offline page.
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

/** Passes key presses to the page around the frame, so that Escape and shortcuts work inside it too. */
function passKeys(page: Document, frame: HTMLIFrameElement) {
  page.addEventListener('keydown', (event) => {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
    const copy = { key, code, ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true };
    if (!frame.dispatchEvent(new KeyboardEvent('keydown', copy))) event.preventDefault();
  });
}
