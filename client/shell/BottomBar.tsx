import Ellipsis from 'lucide-react/icons/ellipsis';
import LogOut from 'lucide-react/icons/log-out';
import Search from 'lucide-react/icons/search';
import { useId, useRef, useState, type RefObject, useLayoutEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { useAppSelector } from '../core/store.ts';
import { Person } from '../features/accounts/components/Person.tsx';
import { cx } from '../ui/cx.ts';
import { firstControl } from '../ui/focus.ts';
import { useAnchorName, Popup } from '../ui/Popup.tsx';
import { countAt, isAt, placesOf, useUnread } from './navigation.ts';
import { Bell, NavigationLink } from './Navigation.tsx';
import { signOut } from './session.ts';
import { ThemeButton } from './ThemeButton.tsx';

const ITEM =
  'flex h-14 w-full flex-col items-center justify-center gap-0.5 text-[0.6875rem]/4 max-[360px]:text-[0.625rem]';

/** The navigation on a phone: five places, and the rest under More. */
export function BottomBar({ onFind }: { onFind: () => void }) {
  const { pathname } = useLocation();
  const places = useAppSelector(placesOf);
  const unread = useUnread();
  const [isOpen, setIsOpen] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  const anchorName = useAnchorName();
  const popupId = useId();
  const isElsewhere = places.some((place) => !place.isAtHand && isAt(place, pathname));
  const close = (withFocus: boolean) => {
    if (withFocus) more.current?.focus();
    setIsOpen(false);
  };
  return (
    <nav aria-label="Main" className="border-t border-line bg-paper">
      <ul className="grid grid-cols-6">
        {places
          .filter((place) => place.isAtHand)
          .map((place) => {
            const isHere = isAt(place, pathname);
            const count = countAt(place, undefined, unread);
            return (
              <li key={place.to}>
                <Link
                  to={place.to}
                  aria-current={isHere ? 'page' : undefined}
                  className={cx(ITEM, isHere ? 'font-strong text-accent-ink' : 'text-ink-2')}
                >
                  <Mark isOn={isHere}>
                    <place.icon />
                    {count && <Dot />}
                  </Mark>
                  {place.label}
                  {count && <span className="sr-only">{`, ${count.words}`}</span>}
                </Link>
              </li>
            );
          })}
        <li>
          <button
            ref={more}
            type="button"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            aria-controls={isOpen ? popupId : undefined}
            style={{ anchorName }}
            onClick={() => setIsOpen(!isOpen)}
            className={cx(ITEM, isElsewhere ? 'font-strong text-accent-ink' : 'text-ink-2')}
          >
            <Mark isOn={isElsewhere}>
              <Ellipsis />
            </Mark>
            More
          </button>
        </li>
      </ul>
      {isOpen && (
        <MorePopup
          id={popupId}
          anchor={more}
          anchorName={anchorName}
          onFind={onFind}
          onClose={close}
        />
      )}
    </nav>
  );
}

/** Marks unread items; there is no room for their number. */
function Dot() {
  return (
    <span className="absolute top-0.5 right-2.5 size-2 animate-appear rounded-full bg-accent outline-2 outline-paper" />
  );
}

function Mark({ isOn, children }: { isOn: boolean; children: React.ReactNode }) {
  return (
    <span
      className={cx(
        'relative grid h-6 w-11 place-items-center rounded-full',
        isOn && 'bg-accent-soft',
      )}
    >
      {children}
    </span>
  );
}

interface MorePopupProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  anchorName: string;
  onFind: () => void;
  onClose: (withFocus: boolean) => void;
}

const ROW = 'flex h-11 w-full items-center gap-2.5 rounded-control px-2 font-book text-ink-2';

/** The places that do not fit into a phone's bottom bar. */
function MorePopup({ id, anchor, anchorName, onFind, onClose }: MorePopupProps) {
  const places = useAppSelector(placesOf);
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => firstControl(content.current)?.focus(), []);
  return (
    <Popup
      id={id}
      role="dialog"
      aria-label="More"
      anchor={anchor}
      anchorName={anchorName}
      onDismiss={(reason) => onClose(reason === 'escape')}
      className="mx-2 w-64"
    >
      <div ref={content} className="p-2">
        <button
          type="button"
          onClick={() => {
            onClose(true);
            onFind();
          }}
          className={ROW}
        >
          <Search />
          Find anything
        </button>
        <ul>
          {places
            .filter((place) => !place.isAtHand)
            .map((place) => (
              <NavigationLink key={place.to} place={place} onFollow={() => onClose(false)} />
            ))}
        </ul>
        <div className="mt-2 flex items-center border-t border-line pt-2 pl-2">
          <Person onFollow={() => onClose(false)} />
          <Bell onFollow={() => onClose(false)} />
          <ThemeButton />
        </div>
        <button type="button" onClick={() => void signOut()} className={ROW}>
          <LogOut />
          Logout
        </button>
      </div>
    </Popup>
  );
}
