package image

import (
	"slices"
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
)

// registerBroker takes the place of any earlier registration of the id.
func (d *Delta) registerBroker(m *metadata.RegisterBrokerRecord) error {
	b := &Broker{
		BrokerID: m.BrokerID, IsMigratingZkBroker: m.IsMigratingZkBroker, IncarnationID: m.IncarnationID, BrokerEpoch: m.BrokerEpoch,
		Fenced: m.Fenced, InControlledShutdown: m.InControlledShutdown, LogDirs: cloneAll(m.LogDirs), CordonedLogDirs: slices.Clone(m.CordonedLogDirs),
	}
	for _, e := range m.EndPoints {
		own := metadata.BrokerEndpoint{Name: strings.Clone(e.Name), Host: strings.Clone(e.Host), Port: e.Port, SecurityProtocol: e.SecurityProtocol}
		b.EndPoints = put(b.EndPoints, own, brokerEndpointName)
	}
	for _, f := range m.Features {
		own := metadata.BrokerFeature{Name: strings.Clone(f.Name), MinSupportedVersion: f.MinSupportedVersion, MaxSupportedVersion: f.MaxSupportedVersion}
		b.Features = put(b.Features, own, brokerFeatureName)
	}
	if m.Rack != nil {
		rack := strings.Clone(*m.Rack)
		b.Rack = &rack
	}
	d.img.brokers.Set(d.owner, b.BrokerID, b)
	return nil
}

// unregisterBroker does not look at the epoch: the controller did. Kafka does not
// mind if there is no such broker.
func (d *Delta) unregisterBroker(m *metadata.UnregisterBrokerRecord) error {
	d.img.brokers.Delete(d.owner, m.BrokerID)
	return nil
}

// brokerOf gives a copy of a registration, whose epoch must be the given one.
func (d *Delta) brokerOf(m kbin.Message, id int32, epoch int64) (*Broker, error) {
	b, ok := d.img.brokers.Get(id)
	switch {
	case !ok:
		return nil, refuse(m, "broker %d is not registered", id)
	case b.BrokerEpoch != epoch:
		return nil, refuse(m, "broker %d is registered with epoch %d, not %d", id, b.BrokerEpoch, epoch)
	}
	c := *b
	return &c, nil
}

// fence is what up to metadata version 3.3-IV1 changed a registration.
func (d *Delta) fence(m kbin.Message, id int32, epoch int64, fenced bool) error {
	b, err := d.brokerOf(m, id, epoch)
	if err != nil {
		return err
	}
	b.Fenced = fenced
	d.img.brokers.Set(d.owner, id, b)
	return nil
}

// brokerRegistrationChange changes what the record names. Controlled shutdown ends
// with the next registration only.
func (d *Delta) brokerRegistrationChange(m *metadata.BrokerRegistrationChangeRecord) error {
	b, err := d.brokerOf(m, m.BrokerID, m.BrokerEpoch)
	if err != nil {
		return err
	}
	switch m.Fenced {
	case -1:
		b.Fenced = false
	case 0:
	case 1:
		b.Fenced = true
	default:
		return refuse(m, "broker %d: a fencing change of %d", m.BrokerID, m.Fenced)
	}
	switch m.InControlledShutdown {
	case 0:
	case 1:
		b.InControlledShutdown = true
	default:
		return refuse(m, "broker %d: a controlled shutdown change of %d", m.BrokerID, m.InControlledShutdown)
	}
	if len(m.LogDirs) > 0 {
		b.LogDirs = slices.Clone(m.LogDirs)
	}
	if m.CordonedLogDirs != nil {
		b.CordonedLogDirs = slices.Clone(m.CordonedLogDirs)
	}
	d.img.brokers.Set(d.owner, b.BrokerID, b)
	return nil
}
