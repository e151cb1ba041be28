import { PageHead } from '../ui/panel.tsx';

export default function PortfolioPage() {
  return <PageHead title="Portfolio" />;
}
