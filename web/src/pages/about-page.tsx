import { PageHead } from '../ui/panel.tsx';

export default function AboutPage() {
  return <PageHead title="About" />;
}
