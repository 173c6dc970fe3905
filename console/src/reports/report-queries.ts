import type { ReportKind } from "@comanda/contract/console/reports.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import type { ShownPeriod } from "./report-periods.ts";

export type ReportScope = ShownPeriod & { venue: string; branch: number | undefined };
export type ReportFigure = { by: ReportKind; key: string | null; title: string };

const TODAY_EVERY_MS = 60_000;
const ofBranch = (branch: number | undefined): { branch?: number } => (branch === undefined ? {} : { branch });

export const todayQuery = (venue: string, branch: number | undefined) =>
  queryOptions({
    queryKey: ["report-today", venue, branch ?? "all"],
    queryFn: async () => (await call("readTodayReport", { params: { venue }, query: ofBranch(branch) })).data,
    placeholderData: keepPreviousData,
    refetchInterval: TODAY_EVERY_MS,
  });

const wanted = ({ from, to, branch }: ReportScope) => ({ from, to, ...ofBranch(branch) });

export const salesQuery = (scope: ReportScope, by: ReportKind) =>
  queryOptions({
    queryKey: ["report-sales", scope.venue, by, wanted(scope)],
    queryFn: async () => (await call("readSalesReport", { params: { venue: scope.venue }, query: { ...wanted(scope), by } })).data,
    placeholderData: keepPreviousData,
  });

export const serviceQuery = (scope: ReportScope) =>
  queryOptions({
    queryKey: ["report-service", scope.venue, wanted(scope)],
    queryFn: async () => (await call("readServiceReport", { params: { venue: scope.venue }, query: wanted(scope) })).data,
    placeholderData: keepPreviousData,
  });

export const ordersQuery = (scope: ReportScope, { by, key }: Omit<ReportFigure, "title">) =>
  infiniteQueryOptions({
    queryKey: ["report-orders", scope.venue, by, key, wanted(scope)],
    queryFn: async ({ pageParam }) => {
      const query = { ...wanted(scope), by, ...(key === null ? {} : { key }), ...(pageParam === "" ? {} : { before: pageParam }) };
      return (await call("listReportOrders", { params: { venue: scope.venue }, query })).data;
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
  });
