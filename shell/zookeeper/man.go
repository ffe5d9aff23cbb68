package zookeeper

// Man explains the tree to those who know the real one.
const Man = `NAME
    /zookeeper - the znodes that this metadata would be in ZooKeeper mode

DESCRIPTION
    Kafka kept its metadata in ZooKeeper up to release 3.9. Below this directory
    is the tree that ZooKeeper would hold for the cluster as it is now, with the
    documents of Kafka 3.9: the same keys in the same order, so that scripts made
    for zkCli find what they look for. It is made from the metadata log and
    snapshots; there is no ZooKeeper, and nothing here can be changed.

    get, ls, stat and getAllChildrenNumber print what zkCli of ZooKeeper 3.8 does,
    with the same options -s and -R. A node without data prints null.

WHAT IS THERE
    /brokers/ids/ID                  brokers that are registered and not fenced
    /brokers/topics/T                partitions, their replicas, the topic's id
    /brokers/topics/T/partitions/P/state
                                     leader, leader epoch, in-sync replicas
    /cluster/id                      from meta.properties of the node
    /config/topics/T                 one for each topic, empty or not
    /config/brokers/ID               only where something is set
    /config/users/U, .../clients/C   quotas, and of users SCRAM credentials
    /config/clients/C, /config/ips/IP
                                     quotas
    /controller, /controller_epoch   the leader of the quorum and its epoch
    /delegation_token/tokens/ID      tokens, without their secret
    /feature                         finalized features
    /kafka-acl/TYPE/NAME             ACLs of literal names
    /kafka-acl-extended/prefixed/TYPE/NAME
                                     ACLs of prefixes
    /latest_producer_id_block        the block of ids that was given out last

WHAT HAS NO COUNTERPART
    These are always there and always empty, because a KRaft cluster does the same
    without leaving notes for anybody:

    /admin/delete_topics             topics are deleted at once
    /config/changes, /kafka-acl-changes, /kafka-acl-extended-changes,
    /delegation_token/token_changes, /isr_change_notification,
    /log_dir_event_notification      brokers read the log instead
    /brokers/seqid, /consumers       not used any more

    These are not there:

    /admin/reassign_partitions, /admin/preferred_replica_election
                                     requests that stayed until they were done. A
                                     reassignment that goes on is in the topic's
                                     document: adding_replicas, removing_replicas
    /migration, /zookeeper           of a migration, and of ZooKeeper itself
    /brokers/ids/ID                  of a broker that is fenced
    /controller, /controller_epoch   if the files do not say who leads, as a
                                     snapshot alone does not
    /cluster/id                      if there is no meta.properties

    ZooKeeper mode knows nothing of controllers, of log directories, of eligible
    leader replicas, of the configuration of groups and client metrics, of the
    metadata version: look for those under /image.

WHAT IS SHOWN INSTEAD
    controller_epoch in a state      the epoch of the leader of the quorum who wrote
                                     the last record about the partition
    /controller                      brokerid is the id of the leader of the quorum
                                     and kraftControllerEpoch its epoch, timestamp
                                     the time of its election
    /controller_epoch                the epoch of the quorum; ZooKeeper counted the
                                     elections of all controllers
    timestamp of a broker            when it was registered; jmx_port is always -1
    /latest_producer_id_block        broker is -1 if only a snapshot tells of it
    ACLs of one resource             in the order of their fields; in ZooKeeper it
                                     was another one in each process
    keys of a configuration          in the order of a Java hash table; where two
                                     fall into one slot, in the order of names

    stat has no transaction ids and sessions to show:

    cZxid, mZxid, pZxid              offsets of the records that created the node,
                                     changed it, and changed its children: good to
                                     compare with each other only
    ctime, mtime                     times of these records
    dataVersion                      of a state the partition epoch, as ever; else
                                     how many batches changed it since it came
    cversion                         children that came and went, where all of the
                                     log is there, else those that are left
    ephemeralOwner                   of a broker its epoch, of the controller the
                                     epoch of the quorum
    What was there before the first record of the files counts as created at the end
    of the snapshot they begin with. 0x0 and 1970 mean that nothing is known.

NAMES
    <default> stands for the defaults of brokers, users, clients and addresses.
    Users, clients and addresses are percent-encoded, topics, ACLs and tokens are as
    they are. A name that ZooKeeper would not have taken, say with a slash, is
    written as <escaped> and the name, with %XX for what is in the way:
    <escaped>team%2Fa is the name team/a.

SECRETS
    SCRAM credentials, and values of configurations that may be secrets, are shown
    as [hidden], unless secrets are asked for.
`
