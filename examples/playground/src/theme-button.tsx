import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark'] as const;
const KEY = 'readpref-playground-theme';

/** Light or dark, where somebody wants another than the system has. */
export function ThemeButton() {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // It then lasts as long as the page.
    }
  }, [theme]);
  return (
    <label class="field inline">
      <span class="label">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

function stored(): string {
  try {
    const theme = localStorage.getItem(KEY);
    return (THEMES as readonly (string | null)[]).includes(theme) ? theme! : 'auto';
  } catch {
    return 'auto';
  }
}
