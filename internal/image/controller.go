package image

import (
	"strings"

	"kraftctl/decode/metadata"
)

// registerController takes the place of any earlier registration of the id.
func (d *Delta) registerController(m *metadata.RegisterControllerRecord) error {
	c := &Controller{ControllerID: m.ControllerID, IncarnationID: m.IncarnationID, ZkMigrationReady: m.ZkMigrationReady}
	for _, e := range m.EndPoints {
		if _, ok := SecurityProtocol(e.SecurityProtocol); !ok {
			return refuse(m, "controller %d: security protocol %d", m.ControllerID, e.SecurityProtocol)
		}
		own := metadata.ControllerEndpoint{Name: strings.Clone(e.Name), Host: strings.Clone(e.Host), Port: e.Port, SecurityProtocol: e.SecurityProtocol}
		c.EndPoints = put(c.EndPoints, own, controllerEndpointName)
	}
	for _, f := range m.Features {
		own := metadata.ControllerFeature{Name: strings.Clone(f.Name), MinSupportedVersion: f.MinSupportedVersion, MaxSupportedVersion: f.MaxSupportedVersion}
		c.Features = put(c.Features, own, controllerFeatureName)
	}
	d.img.controllers.Set(d.owner, c.ControllerID, c)
	return nil
}

// unregisterController forgets a controller (metadata version 4.4-IV2).
func (d *Delta) unregisterController(m *metadata.UnregisterControllerRecord) error {
	d.img.controllers.Delete(d.owner, m.ControllerID)
	return nil
}

var securityProtocols = [...]string{"PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"}

// SecurityProtocol is the name of a security protocol; ok is false for a number
// that Kafka does not have.
func SecurityProtocol(id int16) (name string, ok bool) {
	if id < 0 || int(id) >= len(securityProtocols) {
		return "", false
	}
	return securityProtocols[id], true
}
