import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useSyncExternalStore } from 'react';
import { MenuButton } from '../ui/Menu.tsx';

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

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The theme chosen in this browser; `system` follows the operating system. */
function chosenTheme(): Theme {
  const { classList } = document.documentElement;
  if (classList.contains('dark')) return 'dark';
  return classList.contains('light') ? 'light' : 'system';
}

/** Applies a theme and stores it in the `theme` cookie, which outlives the session. */
export function chooseTheme(theme: Theme): void {
  const { classList } = document.documentElement;
  classList.remove('light', 'dark');
  if (theme !== 'system') classList.add(theme);
  const age = theme === 'system' ? 0 : ONE_YEAR_SECONDS;
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
}
