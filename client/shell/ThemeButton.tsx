import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useSyncExternalStore } from 'react';
import { chooseTheme, chosenTheme, THEMES } from '../core/theme.ts';
import { MenuButton } from '../ui/MenuButton.tsx';

const LOOKS = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} as const;

/** Switches between the light theme, the dark theme, and the operating system's. */
export function ThemeButton() {
  const chosen = useSyncExternalStore(watchTheme, chosenTheme);
  return (
    <MenuButton
      label="Theme"
      heading="Theme"
      icon={LOOKS[chosen].icon}
      variant="quiet"
      size="small"
      entries={THEMES.map((theme) => ({
        ...LOOKS[theme],
        current: theme === chosen,
        onSelect: () => chooseTheme(theme),
      }))}
    />
  );
}

/** The palette chooses it too. */
function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['class'] });
  return () => observer.disconnect();
}
