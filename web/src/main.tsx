import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
// Here rather than with the charts: a style sheet that failed to load is never requested again.
import 'uplot/dist/uPlot.min.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/to-do.css';
import './styles/activity.css';
import './styles/live.css';
import './styles/live-forecast.css';
import './styles/live-posts.css';
import './styles/live-narrow.css';
import './styles/pages.css';
import './styles/record.css';
import './styles/event.css';
import './styles/what-if.css';
import './styles/alerts.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
