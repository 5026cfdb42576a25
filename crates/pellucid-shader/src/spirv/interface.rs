//! What an entry point needs of the pipeline around it.
use super::module::{EntryPoint, Module, Type, Variable};
use super::{SpirvError, opcode};
use crate::{BindingKind, Scalar, Stage};

/// Types nested deeper than this are refused; real ones stay below ten.
const MAX_DEPTH: u32 = 64;

/// More attributes than any vertex stage has.
const MAX_INPUTS: u32 = 1024;

/// A resource that an entry point uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Set number.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
    /// What it holds.
    pub kind: BindingKind,
    /// Elements of the array, 1 when it is no array, 0 when it has no bound.
    pub count: u32,
    /// Name of the variable, when the module says.
    pub name: Option<String>,
    /// Id of its type, arrays taken off: for buffers the block's struct.
    pub ty: u32,
}

/// A value that comes from the stage before or from vertex buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Location.
    pub location: u32,
    /// Number type.
    pub scalar: Scalar,
    /// Components, 1 to 4.
    pub components: u32,
}

/// What one entry point uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Its stage.
    pub stage: Option<Stage>,
    /// Resources, by set and binding.
    pub resources: Vec<Resource>,
    /// The push constants' struct, by id.
    pub push_constants: Option<u32>,
    /// Inputs by location, built-in values left out.
    pub inputs: Vec<Input>,
    /// Invocations of a workgroup; zeros when it has none.
    pub local_size: [u32; 3],
}

impl Module {
    /// What the entry point `entry` uses.
    ///
    /// # Errors
    /// There is no such entry point, or a variable of its interface is broken or of a sort that pipelines
    /// don't take.
    pub fn interface(&self, entry: &str) -> Result<Interface, SpirvError> {
        let entry_point: &EntryPoint =
            self.entry_points().iter().find(|point| point.name == entry).ok_or_else(|| {
                SpirvError::NoEntryPoint {
                    entry: entry.to_owned(),
                    available: self
                        .entry_points()
                        .iter()
                        .map(|point| point.name.as_str())
                        .collect::<Vec<_>>()
                        .join(", "),
                }
            })?;
        let mut interface = Interface {
            stage: entry_point.stage,
            resources: Vec::new(),
            push_constants: None,
            inputs: Vec::new(),
            local_size: entry_point.local_size.unwrap_or_default(),
        };
        for &id in &entry_point.interface {
            let variable =
                self.variables.get(&id).copied().ok_or(SpirvError::NotA { id, expected: "a variable" })?;
            let Type::Pointer { pointee, .. } = *self.ty(variable.pointer)? else {
                return Err(SpirvError::NotA { id: variable.pointer, expected: "a pointer type" });
            };
            match variable.class {
                opcode::CLASS_UNIFORM_CONSTANT | opcode::CLASS_UNIFORM | opcode::CLASS_STORAGE_BUFFER => {
                    interface.resources.push(self.resource(id, variable, pointee)?);
                }
                opcode::CLASS_PUSH_CONSTANT => interface.push_constants = Some(pointee),
                opcode::CLASS_INPUT => self.input(id, pointee, &mut interface.inputs)?,
                _ => {}
            }
        }
        interface.resources.sort_by_key(|resource| (resource.set, resource.binding));
        interface.inputs.sort_by_key(|input| input.location);
        Ok(interface)
    }

    fn resource(&self, id: u32, variable: Variable, pointee: u32) -> Result<Resource, SpirvError> {
        let label = || self.names.get(&id).cloned().unwrap_or_else(|| format!("id {id}"));
        let decorations = self.decorations.get(&id).copied().unwrap_or_default();
        let set = decorations.set.ok_or_else(|| SpirvError::Undecorated { name: label(), missing: "set" })?;
        let binding = decorations
            .binding
            .ok_or_else(|| SpirvError::Undecorated { name: label(), missing: "binding" })?;
        let (count, ty) = match *self.ty(pointee)? {
            Type::Array { element, length } => (self.constant(length)?, element),
            Type::RuntimeArray { element } => (0, element),
            _ => (1, pointee),
        };
        let unsupported = |what| Err(SpirvError::Unsupported { name: label(), what });
        let kind = match (self.ty(ty)?, variable.class) {
            (Type::Struct { members }, opcode::CLASS_STORAGE_BUFFER) => {
                let read_only = decorations.non_writable
                    || (0..members.len()).all(|index| self.member(ty, index as u32).non_writable);
                if read_only { BindingKind::StorageRead } else { BindingKind::StorageWrite }
            }
            (Type::Struct { .. }, opcode::CLASS_UNIFORM) => {
                if self.decorations.get(&ty).is_some_and(|decorations| decorations.buffer_block) {
                    return unsupported("a storage buffer of SPIR-V before 1.3");
                }
                BindingKind::Uniform
            }
            (Type::Image { dim: opcode::DIM_BUFFER, .. }, _) => return unsupported("a texel buffer"),
            (Type::Image { dim: opcode::DIM_SUBPASS, .. }, _) => return unsupported("an input attachment"),
            (Type::Image { sampled: 1, .. }, _) => BindingKind::Texture,
            (Type::Image { sampled: 2, .. }, _) => BindingKind::StorageTexture,
            (Type::Sampler, _) => BindingKind::Sampler,
            (Type::SampledImage, _) => return unsupported("a combined texture and sampler"),
            (Type::AccelerationStructure, _) => return unsupported("an acceleration structure"),
            (Type::Array { .. } | Type::RuntimeArray { .. }, _) => return unsupported("an array of arrays"),
            _ => return unsupported("no buffer, texture or sampler"),
        };
        Ok(Resource { set, binding, kind, count, name: self.names.get(&id).cloned(), ty })
    }

    fn input(&self, id: u32, pointee: u32, inputs: &mut Vec<Input>) -> Result<(), SpirvError> {
        let decorations = self.decorations.get(&id).copied().unwrap_or_default();
        if decorations.built_in {
            return Ok(());
        }
        let Some(location) = decorations.location else {
            // A block of built-in values says so of its members.
            let built_in = matches!(self.ty(pointee)?, Type::Struct { members }
                if (0..members.len()).all(|index| self.member(pointee, index as u32).built_in));
            let name = || self.names.get(&id).cloned().unwrap_or_else(|| format!("id {id}"));
            return if built_in {
                Ok(())
            } else {
                Err(SpirvError::Undecorated { name: name(), missing: "location" })
            };
        };
        self.locations(pointee, location, inputs, 0).map(|_| ())
    }

    /// Adds what `ty` takes from `location` on; gives the location behind it.
    fn locations(
        &self,
        ty: u32,
        location: u32,
        inputs: &mut Vec<Input>,
        depth: u32,
    ) -> Result<u32, SpirvError> {
        if depth > MAX_DEPTH || inputs.len() >= MAX_INPUTS as usize {
            return Err(SpirvError::Depth { limit: MAX_DEPTH });
        }
        match *self.ty(ty)? {
            Type::Scalar(scalar) => inputs.push(Input { location, scalar, components: 1 }),
            Type::Vector { component, count } => {
                let Type::Scalar(scalar) = *self.ty(component)? else {
                    return Err(SpirvError::NotA { id: component, expected: "a number type" });
                };
                inputs.push(Input { location, scalar, components: count });
            }
            Type::Matrix { column: element, count } => {
                return self.repeat(element, count, location, inputs, depth);
            }
            Type::Array { element, length } => {
                return self.repeat(element, self.constant(length)?, location, inputs, depth);
            }
            _ => return Err(SpirvError::NotA { id: ty, expected: "a type of vertex attributes" }),
        }
        Ok(location.saturating_add(1))
    }

    fn repeat(
        &self,
        element: u32,
        count: u32,
        mut location: u32,
        inputs: &mut Vec<Input>,
        depth: u32,
    ) -> Result<u32, SpirvError> {
        if count == 0 || count > MAX_INPUTS {
            return Err(SpirvError::NotA {
                id: element,
                expected: "the element of 1 to 1024 vertex attributes",
            });
        }
        for _ in 0..count {
            location = self.locations(element, location, inputs, depth + 1)?;
        }
        Ok(location)
    }
}
