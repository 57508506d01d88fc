import { render } from 'preact';
import type { ViewerData } from '../model/viewer.ts';
import { App } from './app.tsx';
import { Guard } from './guard.tsx';
import { titleOf } from './header.tsx';
import './styles/base.css';
import './styles/layout.css';
import './styles/list.css';
import './styles/detail.css';
import './styles/print.css';

const place = document.getElementById('app');
const data = JSON.parse(
  document.getElementById('aam-eval-report')?.textContent ?? 'null',
) as ViewerData | null;

if (place && data) {
  document.title = `${titleOf(data)} · aam`;
  render(
    <Guard>
      <App data={data} />
    </Guard>,
    place,
  );
} else if (place) {
  render(<p class="empty">This page holds no report.</p>, place);
}
