export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The theme chosen in this browser; `system` follows the operating system. */
export function chosenTheme(): Theme {
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
