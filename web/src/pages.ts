// One row per page. The navigation, titles, loading, access and the screenshots in the docs follow from it.

import type { ComponentType } from 'react';
import type { PageName } from './route.ts';

export interface PageRow {
  title: string;
  /** null for the first page, which is part of the first script. */
  load: (() => Promise<{ default: ComponentType }>) | null;
  /** Selector of an element that is present once the page has loaded its data. */
  ready: string;
}

/** In the order of the navigation. */
export const PAGES: Record<PageName, PageRow> = {
  live: { title: 'Live', load: null, ready: '.heat' },
  event: {
    title: 'Events',
    load: () => import('./pages/event/event-page.tsx'),
    ready: '.past-events tbody tr',
  },
  signals: { title: 'Signals', load: () => import('./pages/signals-page.tsx'), ready: '.folded' },
  'what-if': {
    title: 'What if',
    load: () => import('./pages/what-if/what-if-page.tsx'),
    ready: '.what-if-ladder tbody tr:not([hidden])',
  },
  portfolio: {
    title: 'Portfolio',
    load: () => import('./pages/portfolio/portfolio-page.tsx'),
    ready: '.portfolio-facts',
  },
  record: { title: 'Record', load: () => import('./pages/record/record-page.tsx'), ready: '.win-rates' },
  alerts: { title: 'Alerts', load: () => import('./pages/alerts/alerts-page.tsx'), ready: '[data-rule]' },
  about: {
    title: 'About',
    load: () => import('./pages/about-page.tsx'),
    ready: '.health-status',
  },
};
