import LogOut from 'lucide-react/icons/log-out';
import Search from 'lucide-react/icons/search';
import { type RefObject, Suspense, useLayoutEffect, useRef } from 'react';
import { useAppSelector } from '../core/store.ts';
import { firstControl } from '../ui/first-control.ts';
import { Popup } from '../ui/Popup.tsx';
import { Bell } from './lazy-bell.ts';
import { placesOf } from './navigation.ts';
import { NavigationLink } from './NavigationLink.tsx';
import { Person } from '../features/accounts/components/Person.tsx';
import { signOut } from './session.ts';
import { ThemeButton } from './ThemeButton.tsx';

interface MorePopupProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  anchorName: string;
  onFind: () => void;
  onClose: (withFocus: boolean) => void;
}

const ROW = 'flex h-11 w-full items-center gap-2.5 rounded-control px-2 font-book text-ink-2';

/** The places that do not fit into a phone's bottom bar. */
export function MorePopup({ id, anchor, anchorName, onFind, onClose }: MorePopupProps) {
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
          <Suspense>
            <Bell onFollow={() => onClose(false)} />
          </Suspense>
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
