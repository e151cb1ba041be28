import { PageHead } from '../ui/panel.tsx';

export default function HealthPage() {
  return <PageHead title="Health" />;
}
