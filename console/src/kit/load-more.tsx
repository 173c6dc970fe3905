/** The end of a list: loads the next page when it becomes visible, or by the button. */
import { Button, Center, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

type LoadMoreProps = { hasMore: boolean; isLoading: boolean; hasFailed: boolean; onMore: () => void };

export const LoadMore = ({ hasMore, isLoading, hasFailed, onMore }: LoadMoreProps) => {
  const { t } = useTranslation();
  const { ref, entry } = useIntersection({ rootMargin: "200px" });
  const isInSight = entry?.isIntersecting ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each time the end comes into sight.
  useEffect(() => {
    if (isInSight && hasMore && !isLoading && !hasFailed) onMore();
  }, [isInSight, hasMore, isLoading, hasFailed]);
  if (!hasMore)
    return (
      <Text size="sm" c="dimmed" ta="center">
        {t("common.end")}
      </Text>
    );
  return (
    <Center ref={ref}>
      <Button variant="default" loading={isLoading} onClick={onMore}>
        {t(hasFailed ? "common.retry" : "common.loadMore")}
      </Button>
    </Center>
  );
};
