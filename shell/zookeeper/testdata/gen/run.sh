#!/usr/bin/env bash
# run.sh WORKDIR: what made these fixtures, as one script (the fixtures were made by its pieces, run by hand, with repairs on the way: topics and numbers differ a little).
# Ports 22181 (ZooKeeper), 22191 22192 22200 / 22291 22292 22300 (brokers), 22400 (controller), all on 127.0.0.1.
set -uo pipefail
W=${1:?work directory}; mkdir -p "$W"; W=$(cd "$W" && pwd); H=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); O=$H/../../../../conformance
L=$("$O/fetch.sh" 3.9.1); JO='-Xmx400M -XX:+UseSerialGC -XX:TieredStopAtLevel=1'; cd "$W"
javac -nowarn -cp "$L/*" -d "$W/cls" "$H/Ops.java" || exit 1
tool() { "$O/tool.sh" 3.9.1 "$@"; }
java_() { local n=$1; shift; java $JO -Dlog4j.configuration=file:"$O/log4j1-file.properties" -Doracle.log.level=info -Doracle.log.file="$W/$n.log" -cp "$L/*" "$@" > "$W/$n.out" 2>&1 < /dev/null & echo $! > "$W/$n.pid"; }
start() { java_ "$1" kafka.Kafka "$W/${2:-$1.properties}"; }
stop() { local p; p=$(cat "$W/$1.pid"); kill ${2:-} "$p"; for _ in $(seq 60); do kill -0 "$p" 2>/dev/null || return 0; sleep 0.5; done; kill -9 "$p"; }   # a controlled shutdown may wait for ever in dual write
o() { timeout 70 java -Xmx200m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dlog4j.configuration=file:"$O/log4j1-stderr.properties" -Doracle.log.level=off -cp "$W/cls:$L/*" Ops "$@" 2>/dev/null; }
printf '%s\n' tickTime=2000 "dataDir=$W/zkdata" clientPortAddress=127.0.0.1 clientPort=22181 admin.enableServer=false maxClientCnxns=0 > zoo.cfg
for i in 1 2 10; do
r=rack-1; [ $i = 2 ] && r=rack-2
cat > b$i.base <<C
broker.id=$i
zookeeper.connect=127.0.0.1:22181
zookeeper.session.timeout.ms=6000
listeners=PLAINTEXT://127.0.0.1:$((22190+i)),SASL_PLAINTEXT://127.0.0.1:$((22290+i))
log.dirs=$W/b$i-d0,$W/b$i-d1
super.users=User:ANONYMOUS;User:admin
allow.everyone.if.no.acl.found=true
delegation.token.secret.key=s3cr3t
sasl.enabled.mechanisms=SCRAM-SHA-256,SCRAM-SHA-512
listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
offsets.topic.num.partitions=3
offsets.topic.replication.factor=2
transaction.state.log.num.partitions=3
transaction.state.log.replication.factor=2
transaction.state.log.min.isr=1
log.cleaner.dedupe.buffer.size=4000000
log.index.size.max.bytes=4096
replica.fetch.max.bytes=2048
controlled.shutdown.enable=true
num.network.threads=2
num.io.threads=2
background.threads=2
num.recovery.threads.per.data.dir=1
auto.leader.rebalance.enable=false
group.initial.rebalance.delay.ms=0
C
{ cat b$i.base; echo authorizer.class.name=kafka.security.authorizer.AclAuthorizer; } > b$i-mig.properties
{ cat b$i-mig.properties; echo broker.rack=$r; } > b$i.properties; { cat b$i.properties; echo inter.broker.protocol.version=2.6; } > b$i-26.properties
[ $i != 10 ] && echo broker.rack=$r >> b$i-mig.properties
printf '%s\n' zookeeper.metadata.migration.enable=true controller.quorum.voters=3000@127.0.0.1:22400 controller.listener.names=CONTROLLER listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT >> b$i-mig.properties
{ sed -e '/^authorizer/d;/^zookeeper/d;/^broker.id/d' b$i-mig.properties; printf '%s\n' process.roles=broker node.id=$i authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer; } > b$i-kr.properties
done
cat > c.properties <<C
process.roles=controller
node.id=3000
zookeeper.connect=127.0.0.1:22181
zookeeper.metadata.migration.enable=true
controller.quorum.voters=3000@127.0.0.1:22400
controller.listener.names=CONTROLLER
listeners=CONTROLLER://127.0.0.1:22400
log.dirs=$W/c
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:admin
allow.everyone.if.no.acl.found=true
delegation.token.secret.key=s3cr3t
metadata.max.idle.interval.ms=0
metadata.log.max.snapshot.interval.ms=8000
log.index.size.max.bytes=4096
C
grab() { o dump "$2"; mkdir -p "$1"; cp -r c/__cluster_metadata-0 c/meta.properties "$1/"; tool dump-log --cluster-metadata-decoder --files "$1/__cluster_metadata-0/00000000000000000000.log" > "$1/records.txt"; truncate -s 4096 "$1"/__cluster_metadata-0/*.index; truncate -s 4092 "$1"/__cluster_metadata-0/*.timeindex; }
java_ zk org.apache.zookeeper.server.quorum.QuorumPeerMain "$W/zoo.cfg"; sleep 3
for i in 1 2 10; do start b$i; done; o wait 3; o state1; o state3
stop b10; sleep 7; o delete pending; o produce orders 5 10; sleep 2; o dump tree-zk-degraded.json
start b10 b10-26.properties; o wait 3; sleep 4
o zkput /admin/preferred_replica_election '{"version":1,"partitions":[{"topic":"orders","partition":0},{"topic":"payments","partition":0}]}'
o zkput /admin/reassign_partitions '{"version":1,"partitions":[{"topic":"payments","partition":0,"replicas":[10,1]},{"topic":"recreated","partition":0,"replicas":[2,10]}]}'
rm -rf b2-d1; touch b2-d1; o create spread 6 1; sleep 8; o dump tree-zk-logdir.json
stop b2; rm -f b2-d1; start b2; o wait 3; sleep 3; stop b10; start b10; o wait 3
c=$(o zkget /controller | grep -o '"brokerid":[0-9]*' | cut -d: -f2); stop b$c -9; sleep 9; start b$c; o wait 3; sleep 2
o reassign; sleep 3; o elect; o dump tree-zk.json
tool storage format -t "$(o zkget /cluster/id | sed 's/.*"id":"//; s/".*//')" -c c.properties -r 3.9-IV0; start c; sleep 4
for i in 1 2 10; do stop b$i; start b$i b$i-mig.properties; o wait 3; done; sleep 20; grab kraft tree-migrated.json     # in the real run broker 10 failed to start here, so it was fenced
o state2; o state4; stop c; start c; sleep 6; o wait 3; sleep 3; o create after-failover 2 2; sleep 12; grab kraft2 tree-migrated2.json
for i in 1 2 10; do stop b$i; start b$i b$i-kr.properties; o wait 3; sleep 2; done; sleep 5; o create after-kraft-brokers 2 2; sleep 12; grab kraft3 tree-migrated3.json
for n in b1 b2 b10 c zk; do kill -9 "$(cat $n.pid)"; done
