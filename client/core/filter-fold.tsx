import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { useScreen } from './use-screen.ts';

/**
 * Leaves a phone's screen to the list: its filters are hidden until their button is pressed.
 * @param isNarrowed marks the button while filters are set
 */
export function useFilterFold(isNarrowed: boolean): { button: ReactNode; isHidden: boolean } {
  const isPhone = useScreen() === 'phone';
  const [isOpen, setIsOpen] = useState(false);
  if (!isPhone) return { button: null, isHidden: false };
  const button = (
    <IconButton
      label="Filters"
      icon={SlidersHorizontal}
      aria-expanded={isOpen}
      className={cx(isNarrowed && 'border-accent! bg-accent-soft! text-accent-ink')}
      onClick={() => setIsOpen(!isOpen)}
    />
  );
  return { button, isHidden: !isOpen };
}
