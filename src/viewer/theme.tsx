/** Light or dark: as the system has it, until the reader says otherwise. */
import { useEffect, useState } from 'preact/hooks';

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const;
type Theme = keyof typeof NEXT;

const KEY = 'aam-theme';

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(stored);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    keep(theme);
  }, [theme]);
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => setTheme(NEXT[theme])}
      title="Switch between light and dark"
    >
      Theme: {theme}
    </button>
  );
}

/** Storage may be forbidden for files. */
function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY) ?? '';
    return Object.hasOwn(NEXT, value) ? (value as Theme) : 'system';
  } catch {
    return 'system';
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice holds for this page only.
  }
}
