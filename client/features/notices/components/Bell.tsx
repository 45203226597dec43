import BellIcon from 'lucide-react/icons/bell';
import { useId, useRef, useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { useAnchorName } from '../../../ui/anchor-name.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Popup } from '../../../ui/Popup.tsx';
import { NoticeList } from './NoticeList.tsx';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { noticeList } from '../slice.ts';

/** Milliseconds during which several notices are combined into one fetch. */
const GATHER = 120;
const MOST = 99;

/** Opens the notices, and counts those that the user has not seen. */
export function Bell({ onFollow }: { onFollow?: () => void }) {
  const { data, status, failure, cursor, refresh, grow } = useResource(noticeList, 'all', {
    gather: GATHER,
  });
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const anchorName = useAnchorName();
  const popupId = useId();
  const unseen = data?.unseen ?? 0;
  // The focus stays on the bell, or is lost with a button that disappears.
  useDocumentKey(({ key }) => {
    if (key === 'Escape') setIsOpen(false);
  }, isOpen);
  const close = (withFocus: boolean) => {
    if (withFocus) button.current?.querySelector('button')?.focus();
    setIsOpen(false);
  };
  return (
    <span ref={button} className="relative flex-none">
      <IconButton
        label={unseen > 0 ? `Notices, ${unseen} new` : 'Notices'}
        icon={BellIcon}
        variant="quiet"
        size="small"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? popupId : undefined}
        style={{ anchorName }}
        onClick={() => setIsOpen(!isOpen)}
      />
      {unseen > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute -top-1 -right-1.5 min-w-4 animate-appear rounded-full bg-accent px-1 text-center text-[0.625rem]/4 font-semibold text-on-accent tabular-nums"
        >
          {unseen > MOST ? `${MOST}+` : unseen}
        </span>
      )}
      {isOpen && (
        <Popup
          id={popupId}
          role="dialog"
          aria-label="Notices"
          anchor={button}
          anchorName={anchorName}
          onDismiss={(reason) => close(reason === 'escape')}
          className="w-[26rem] max-w-[calc(100vw-1rem)] max-sm:mx-2"
        >
          <NoticeList
            {...{ data, status, failure, cursor, refresh, grow }}
            onFollow={() => {
              close(false);
              onFollow?.();
            }}
          />
        </Popup>
      )}
    </span>
  );
}
