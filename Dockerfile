# An exact version, so that the same commit gives the same image. A tag can be moved nevertheless: let the registry mirror that
# you build from pin the digest too (NODE_IMAGE=mirror.example.com/node:24.21.0-bookworm-slim@sha256:…).
#
# Node 24, though 20.19 suffices: AsyncLocalStorage, which carries every request's deadline and trace, costs next to nothing
# there. Debian, because the embedded PostgreSQL of a developer's checkout is built for glibc, and tests run where the image does.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
# The packages change seldom, the sources often: each has a layer of its own.
COPY package.json package-lock.json ./
RUN npm ci --omit=optional --no-audit --no-fund
COPY nest-cli.json tsconfig.json ./
COPY src ./src
# Only main, admin and migrate run here; the compiler's own notes are of no use to them.
RUN npm run build && rm -f dist/.tsbuildinfo

FROM ${NODE_IMAGE} AS packages
WORKDIR /build
COPY package.json package-lock.json ./
# The embedded PostgreSQL is in optionalDependencies: none of it gets into the image, and DATABASE_URL must be set.
# Nothing at run time reads the packages' type declarations and source maps, which are a third of them.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM ${NODE_IMAGE} AS production
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Signpost" \
      org.opencontainers.image.description="Deep links on your own infrastructure: a management API and the link traffic itself" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.licenses="UNLICENSED" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"
ENV NODE_ENV=production
WORKDIR /app
# All of it belongs to root and nothing is written: the root file system may be read-only.
COPY --from=packages /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json ./
COPY migrations ./migrations
# By number, so that Kubernetes can tell that it is not root (runAsNonRoot). Any other number works as well.
USER 10001:10001
# The service, and the metrics where METRICS_PORT=9464 is set.
EXPOSE 3000 9464
# The process alone: a database that is gone is not mended by a restart. Kubernetes has probes of its own and ignores this one.
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Without npm or a shell in between, so that SIGTERM arrives. As process 1 node has no default action for it, but main.ts
# installs a handler before it does anything else; and there are no children to reap. So no tini.
CMD ["node", "dist/main.js"]
