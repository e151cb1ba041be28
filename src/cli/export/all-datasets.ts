// Datasets for `tallycast export`, by name.

import { booksDataset } from './books.ts';
import { countsDataset } from './counts.ts';
import type { Dataset } from './dataset.ts';
import { forecastsDataset } from './forecasts.ts';
import { postsDataset } from './posts.ts';
import { pricesDataset } from './prices.ts';

export const DATASETS: Readonly<Record<string, Dataset>> = {
  posts: postsDataset,
  prices: pricesDataset,
  counts: countsDataset,
  books: booksDataset,
  forecasts: forecastsDataset,
};
